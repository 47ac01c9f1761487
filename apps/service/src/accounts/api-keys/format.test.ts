import { expect, test } from 'vitest'
import { displayPrefix, isKey, newKey } from './authenticate-key.ts'

test('[AUTH-2] a key has its environment, its cell, 190 random bits and a checksum', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => newKey(index % 2 === 0 ? 'test' : 'live', 'z'))

  expect(new Set(keys).size).toBe(10_000)
  for (const [index, key] of keys.entries()) {
    expect(key).toMatch(index % 2 === 0 ? /^vk_test_z[0-9A-Za-z]{38}$/ : /^vk_live_z[0-9A-Za-z]{38}$/)
    expect(isKey(key)).toBe(true)
  }
  expect(displayPrefix(keys[0] ?? '')).toMatch(/^vk_test_z[0-9A-Za-z]{3}$/)
})

test('every character of a key is equally likely', () => {
  const counts = new Map<string, number>()
  const keys = 20_000
  for (let index = 0; index < keys; index += 1) {
    for (const character of newKey('test', '0').slice(9, 41))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const expected = (keys * 32) / 62
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)

  expect(counts.size).toBe(62)
  // With 61 degrees of freedom, it exceeds 120 once in 100,000 runs.
  expect(chiSquared).toBeLessThan(120)
})

test('a typing error never yields a valid key: one character wrong, two swapped, one missing', () => {
  const key = newKey('live', '0')
  const slips = Array.from(key, (_, place) => [
    `${key.slice(0, place)}${key[place] === 'a' ? 'b' : 'a'}${key.slice(place + 1)}`,
    `${key.slice(0, place)}${key.slice(place + 1)}`,
    `${key.slice(0, place)}${key[place + 1] ?? ''}${key[place] ?? ''}${key.slice(place + 2)}`,
  ]).flat()

  const taken = slips.filter((slip) => slip !== key && isKey(slip))
  expect(taken).toEqual([])
  for (const odd of [
    '',
    ' ',
    `${key} `,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace('live', 'prod'),
  ]) {
    expect(isKey(odd)).toBe(false)
  }
})
