import { expect, test } from 'vitest'
import { takeRandomBytes } from './random-bytes.ts'

test('[CREATE-12] random bytes are never handed out twice, across refills of the pool', () => {
  const taken = Array.from({ length: 5000 }, (_, index) => takeRandomBytes(index % 2 === 0 ? 20 : 32))

  expect(taken.every(({ length }, index) => length === (index % 2 === 0 ? 20 : 32))).toBe(true)
  const windows = taken.flatMap((bytes) => [
    bytes.subarray(0, 8).toString('hex'),
    bytes.subarray(-8).toString('hex'),
  ])
  expect(new Set(windows).size).toBe(windows.length)
})

test('[CREATE-12] what was handed out does not change when more bytes are taken', () => {
  const bytes = takeRandomBytes(32)
  const before = bytes.toString('hex')
  for (let count = 0; count < 1000; count += 1) takeRandomBytes(32)

  expect(bytes.toString('hex')).toBe(before)
})

test('more bytes than the pool has are refused', () => {
  expect(takeRandomBytes(8192)).toHaveLength(8192)
  expect(() => takeRandomBytes(8193)).toThrow(RangeError)
})
