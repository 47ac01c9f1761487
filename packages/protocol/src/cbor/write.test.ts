import { expect, test } from 'vitest'
import { readCbor } from './read.ts'
import { wrapInTag24, writeCbor } from './write.ts'

test('uses the shortest form of lengths (RFC 8949 §4.2.1)', () => {
  const heads = [0, 23, 24, 255, 256, 65_535, 65_536].map((length) =>
    writeCbor(new Uint8Array(length)).subarray(0, 5).toString('hex'),
  )
  expect(heads).toEqual([
    '40',
    '5700000000',
    '5818000000',
    '58ff000000',
    '5901000000',
    '59ffff0000',
    '5a00010000',
  ])
})

test('writes what the reader reads back', () => {
  const written = writeCbor([
    'Signature1',
    Uint8Array.of(1),
    null,
    [],
    { encoded: Uint8Array.of(0x18, 0x2a) },
  ])
  expect(readCbor(written)).toEqual(['Signature1', Buffer.from([1]), null, [], 42])
})

test('wraps an item as a byte string with tag 24', () => {
  expect(wrapInTag24(Uint8Array.of(0xf6)).toString('hex')).toBe('d81841f6')
})

test('writes integers, booleans, and maps in the order of their encoded keys', () => {
  expect(writeCbor([0, 23, 24, 255, 256, 65_536, -1, -7, -257, true, false]).toString('hex')).toBe(
    '8b0017181818ff1901001a000100002026390100f5f4',
  )
  const map = new Map<number | string, number>([
    ['b', 1],
    ['a', 2],
    [-1, 3],
    [10, 4],
    ['aa', 5],
  ])
  expect(writeCbor(map).toString('hex')).toBe('a50a04200361610261620162616105')
})
