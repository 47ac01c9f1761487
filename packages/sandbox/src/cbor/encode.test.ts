import { expect, test } from 'vitest'
import { dateTime, embedCbor, encodeCbor, fullDate, textMap, type Cbor } from './encode.ts'

// RFC 8949, appendix A.
const published: [Cbor, string][] = [
  [0, '00'],
  [23, '17'],
  [24, '1818'],
  [100, '1864'],
  [1000, '1903e8'],
  [1000000, '1a000f4240'],
  [1000000000000, '1b000000e8d4a51000'],
  [-1, '20'],
  [-10, '29'],
  [-100, '3863'],
  [-1000, '3903e7'],
  [false, 'f4'],
  [true, 'f5'],
  [null, 'f6'],
  [{ tag: 0, value: '2013-03-21T20:04:00Z' }, 'c074323031332d30332d32315432303a30343a30305a'],
  [embedCbor(Buffer.from('6449455446', 'hex')), 'd818456449455446'],
  [new Uint8Array(0), '40'],
  [Uint8Array.of(1, 2, 3, 4), '4401020304'],
  ['', '60'],
  ['IETF', '6449455446'],
  ['ü', '62c3bc'],
  [[], '80'],
  [[1, [2, 3], [4, 5]], '8301820203820405'],
  [new Map(), 'a0'],
  [
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, 4],
    ]),
    'a201020304',
  ],
  [textMap({ a: 1, b: [2, 3] }), 'a26161016162820203'],
]

test.each(published)('RFC 8949 appendix A: %j encodes to %s', (item, hex) => {
  expect(Buffer.from(encodeCbor(item)).toString('hex')).toBe(hex)
})

test('an array of 300 items has a two-byte length', () => {
  expect(
    Buffer.from(encodeCbor(Array<Cbor>(300).fill(0)))
      .subarray(0, 3)
      .toString('hex'),
  ).toBe('99012c')
})

test('already encoded CBOR is copied unchanged, even if its lengths are not the shortest', () => {
  expect(Buffer.from(encodeCbor([{ encoded: Uint8Array.of(0x18, 0x01) }])).toString('hex')).toBe('811801')
})

test('dates have the tags of ISO 18013-5 and no fractions of a second', () => {
  expect(dateTime(new Date('2026-05-01T10:20:30.456Z'))).toEqual({ tag: 0, value: '2026-05-01T10:20:30Z' })
  expect(fullDate('1990-02-03')).toEqual({ tag: 1004, value: '1990-02-03' })
})

test('an undefined member is omitted', () => {
  expect(textMap({ a: 1, b: undefined }).size).toBe(1)
})

test('a number that is not a safe integer throws instead of being rounded', () => {
  expect(() => encodeCbor(0.5)).toThrow('not a safe integer')
})
