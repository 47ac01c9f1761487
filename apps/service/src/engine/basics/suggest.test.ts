import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const members = ['template', 'query', 'webhook_url', 'redirect_url', 'ttl_seconds', 'metadata', 'purpose']

test('a misspelt name leads to the one that was meant, and an unrelated one to none', () => {
  expect(suggest('webhookUrl', members)).toBe('webhook_url')
  expect(suggest('webhook-url', members)).toBe('webhook_url')
  expect(suggest('WEBHOOK_URL', members)).toBe('webhook_url')
  expect(suggest('tempalte', members)).toBe('template')
  expect(suggest('meta_dta', members)).toBe('metadata')
  expect(suggest('redirectUri', members)).toBe('redirect_url')
  expect(suggest('age_over_81', ['age_over_16', 'age_over_18', 'age_over_21'])).toBe('age_over_18')
  expect(suggest('ttl', members)).toBeUndefined()
  expect(suggest('colour', members)).toBeUndefined()
  expect(suggest('', members)).toBeUndefined()
  expect(suggest('___', members)).toBeUndefined()
  expect(suggest('x', [])).toBeUndefined()
})

test('the closest of several names wins', () => {
  expect(suggest('age_over_18', ['age_over_16', 'age_over_18_strict', 'AgeOver18'])).toBe('AgeOver18')
})

test('a comparison is bounded, whatever is sent', () => {
  const candidates = Array.from({ length: 1000 }, () => `${'a'.repeat(62)}bb`)
  const started = performance.now()
  expect(suggest('a'.repeat(250_000), candidates)).toBe(candidates[0])
  expect(performance.now() - started).toBeLessThan(1000)
})
