import { expect, test } from 'vitest'
import { Entry, Texts } from './entry-schema.ts'

const hash = 'ab'.repeat(32)
const entry = {
  action: 'verification.created',
  actor: 'operator',
  at: '2026-11-15T12:00:00.000000Z',
  commitments: { purpose: hash, subject: hash },
  detail: { environment: 'test' },
  seq: 1,
  tenant_id: '5e0c4a3a-5f6e-4f0a-9a55-0a4f6f8c1b11',
  v: 1,
}
const texts = { purpose: { salt: hash, text: 'Age check' }, subject: { salt: hash, text: '' } }
const without = (name: keyof typeof entry) => ({ ...entry, [name]: undefined })

test('an entry with all members, and one with only the required members, are accepted', () => {
  expect(Entry.safeParse(entry).success).toBe(true)
  const { commitments: _commitments, detail: _detail, ...required } = entry
  expect(Entry.safeParse(required).success).toBe(true)
  expect(Texts.safeParse(texts).success).toBe(true)
})

test.each([
  ...(['action', 'actor', 'at', 'seq', 'tenant_id', 'v'] as const).map(without),
  { ...entry, more: 1 },
  { ...entry, action: 1 },
  { ...entry, at: '2026-11-15T12:00:00Z' },
  { ...entry, commitments: {} },
  { ...entry, commitments: null },
  { ...entry, commitments: { purpose: hash.toUpperCase() } },
  { ...entry, commitments: { purpose: `${hash}0` } },
  { ...entry, commitments: { email: hash } },
  { ...entry, detail: [] },
  { ...entry, detail: 'x' },
  { ...entry, seq: 0 },
  { ...entry, seq: 1.5 },
  { ...entry, seq: '1' },
  { ...entry, seq: 2 ** 53 },
  { ...entry, tenant_id: 'nobody' },
  { ...entry, v: 2 },
  JSON.parse('{"__proto__": {}}'),
  [entry],
  null,
  'entry',
])('not an entry: %j', (value) => {
  expect(Entry.safeParse(value).success).toBe(false)
})

test.each([
  {},
  null,
  { purpose: hash },
  { purpose: { salt: hash } },
  { purpose: { salt: 'x', text: '' } },
  { purpose: { salt: hash, text: 1 } },
  { purpose: { salt: hash, text: '', more: 1 } },
  { ...texts, email: texts.purpose },
])('not texts: %j', (value) => {
  expect(Texts.safeParse(value).success).toBe(false)
})
