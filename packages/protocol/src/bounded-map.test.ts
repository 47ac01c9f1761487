import { expect, test } from 'vitest'
import { boundedMap } from './bounded-map.ts'

test('a full map drops the half that was set longest ago, and setting an entry again renews it', () => {
  const map = boundedMap<string, number>(4)
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) map.set(key, index)

  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([3, undefined, 2, 4])
})

test('a map keeps at least half of its limit, and never more than the limit', () => {
  const map = boundedMap<number, true>(101)
  for (let key = 0; key < 1000; key += 1) {
    map.set(key, true)
    const size = Array.from({ length: key + 1 }, (_, each) => map.get(each)).filter(Boolean).length
    expect(size).toBeLessThanOrEqual(101)
    expect(size).toBeGreaterThanOrEqual(Math.min(key + 1, 50))
  }
})

test('a deleted entry is gone, whichever half it was in', () => {
  const map = boundedMap<string, number>(4)
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  for (const key of ['a', 'c', 'never set']) map.delete(key)

  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 1, undefined])
})
