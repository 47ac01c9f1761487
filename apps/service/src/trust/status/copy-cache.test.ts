import { expect, test } from 'vitest'
import { openCopyCache } from './copy-cache.ts'

const copy = (bytes: number) => ({
  token: { token: Buffer.alloc(bytes), media: 'cwt' as const },
  fetched_at: null,
  good_until: 0,
})

test('the cache is bounded in bytes, and evicts the least recently used copy', () => {
  const copies = openCopyCache({ bytes: 100_000, copies: 100 })
  for (const name of ['a', 'b', 'c']) copies.set(name, copy(30_000))
  expect(copies.get('a')).toBeDefined()
  copies.set('d', copy(30_000))

  expect(['a', 'b', 'c', 'd'].filter((name) => copies.get(name) !== undefined)).toEqual(['a', 'c', 'd'])
})

test('the cache is bounded in number', () => {
  const copies = openCopyCache({ bytes: 100_000, copies: 2 })
  for (const name of ['a', 'b', 'c']) copies.set(name, { ...copy(0), token: undefined })
  expect(['a', 'b', 'c'].filter((name) => copies.get(name) !== undefined)).toEqual(['b', 'c'])
})

test('a copy larger than the cache is not stored, and a replaced copy counts once', () => {
  const copies = openCopyCache({ bytes: 100_000, copies: 100 })
  copies.set('a', copy(30_000))
  copies.set('huge', copy(100_000))
  expect(copies.get('huge')).toBeUndefined()
  for (let round = 0; round < 10; round += 1) copies.set('b', copy(60_000))
  expect(copies.get('a')).toBeDefined()
})
