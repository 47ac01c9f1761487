import { expect, test } from 'vitest'
import { decodeCbor } from './decode.ts'
import { encodeCbor, embedCbor, textMap, type Cbor } from './encode.ts'

const items: Cbor[] = [
  0,
  23,
  24,
  255,
  256,
  65_536,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  -1,
  -25,
  true,
  null,
  '',
  'ü',
  Uint8Array.of(1, 2),
  [],
  [1, ['a', [null]]],
  textMap({ a: 1, b: textMap({ c: false }) }),
  new Map<Cbor, Cbor>([
    [1, 2],
    [-1, 1],
  ]),
  embedCbor(Uint8Array.of(0xa0)),
]

test.each(items)('what the encoder writes is read back: %j', (item) => {
  expect(decodeCbor(encodeCbor(item))).toEqual(item)
})

test.each([
  ['nothing', ''],
  ['a second item', '0000'],
  ['a truncated text', '6261'],
  ['a truncated length', '19'],
  ['a length that is not the shortest', '1817'],
  ['a length of two bytes that fits one', '1900ff'],
  ['a length of four bytes that fits two', '1a0000ffff'],
  ['a length of eight bytes that fits four', '1b00000000ffffffff'],
  ['a number beyond the safe integers', '1b0020000000000000'],
  ['an indefinite length', '9fff'],
  ['a reserved length', '1c'],
  ['text that is not UTF-8', '62c328'],
  ['a duplicate key', 'a2616100616101'],
  ['a key that is a list', 'a18000'],
  ['a floating point number', 'f93c00'],
  ['undefined', 'f7'],
  ['four billion items', '9affffffff'],
  ['a hundred levels', '81'.repeat(100) + '00'],
  ['more items than the limit', '99ffff' + '00'.repeat(65_535)],
])('%s is refused', (_, hex) => {
  expect(decodeCbor(Buffer.from(hex, 'hex'))).toBeUndefined()
})
