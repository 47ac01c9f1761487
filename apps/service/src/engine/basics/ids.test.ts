import { expect, test } from 'vitest'
import { dayOfVerificationId, newVerificationId } from './ids.ts'

test('[CREATE-12] a verification id has its prefix, 160 random bits, and is safe in a URL', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newVerificationId('0', '2026-11-15')))

  expect(ids.size).toBe(10_000)
  for (const id of ids) expect(id).toMatch(/^vs_0[A-Za-z0-9_-]{30}$/)
})

test('a verification id encodes its day', () => {
  for (const day of ['2026-01-01', '2026-11-15', '2027-02-28', '2028-02-29', '2099-12-31', '2700-01-01']) {
    expect(dayOfVerificationId(newVerificationId('z', day))).toBe(day)
  }
})

test('a malformed verification id has no day', () => {
  const good = newVerificationId('0', '2026-11-15')
  for (const id of [
    '',
    'vs_',
    good.slice(0, -1),
    `${good}A`,
    good.replace('vs_', 'vk_'),
    `${good.slice(0, -1)}\0`,
    `${good}\n`,
  ]) {
    expect(dayOfVerificationId(id)).toBeUndefined()
  }
})
