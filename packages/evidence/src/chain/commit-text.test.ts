import { createHash, createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { toHex } from '../bytes.ts'
import { commitText, deriveSalt, textsMatch } from './commit-text.ts'
import type { Entry, Texts } from './entry.ts'

const base: Entry = {
  v: 1,
  tenant_id: '5e0c4a3a-5f6e-4f0a-9a55-0a4f6f8c1b11',
  seq: 1,
  at: '2026-11-15T12:00:00.000000Z',
  action: 'verification.created',
  actor: 'operator',
}

test('a commitment is SHA-256 over name, salt and text, each after its length', () => {
  const salt = Buffer.alloc(32, 7)
  const framed = Buffer.concat([
    Buffer.from('00000007', 'hex'),
    Buffer.from('purpose'),
    Buffer.from('00000020', 'hex'),
    salt,
    Buffer.from('00000006', 'hex'),
    Buffer.from('Alter?'),
  ])

  expect(toHex(commitText('purpose', { salt, text: 'Alter?' }))).toBe(
    createHash('sha256').update(framed).digest('hex'),
  )
})

test('a salt is the HMAC-SHA256 of its name, keyed with the secret of its entry', () => {
  const secret = randomBytes(32)

  expect(toHex(deriveSalt(secret, 'purpose'))).toBe(
    createHmac('sha256', secret).update('purpose').digest('hex'),
  )
})

test('only the exact texts match the commitments: none added, missing, changed or swapped', () => {
  const secret = randomBytes(32)
  const salted = (name: 'purpose' | 'subject', text: string) => ({
    salt: toHex(deriveSalt(secret, name)),
    text,
  })
  const texts: Texts = { purpose: salted('purpose', 'Age check'), subject: salted('subject', 'vs_1') }
  const commitments = Object.fromEntries(
    (['purpose', 'subject'] as const).map((name) => [
      name,
      toHex(commitText(name, { salt: deriveSalt(secret, name), text: texts[name]?.text ?? '' })),
    ]),
  )
  const entry = { ...base, commitments }

  expect(textsMatch(entry, texts)).toBe(true)
  expect(textsMatch(entry, { ...texts, purpose: salted('purpose', 'Age  check') })).toBe(false)
  expect(textsMatch(entry, { purpose: texts.subject, subject: texts.purpose })).toBe(false)
  expect(textsMatch(entry, { purpose: texts.purpose })).toBe(false)
  expect(textsMatch(entry, { ...texts, actor_name: texts.subject })).toBe(false)
  expect(textsMatch(base, texts)).toBe(false)
})

test('without its salt a purpose cannot be guessed, even by trying all 10,000 candidates', () => {
  const purposes = Array.from({ length: 10_000 }, (_, index) => `Purpose ${index}`)
  const salts = { kept: deriveSalt(randomBytes(32), 'subject'), guessed: Buffer.alloc(32) }
  const commitments = new Set(
    purposes.map((text) =>
      toHex(commitText('purpose', { salt: deriveSalt(randomBytes(32), 'purpose'), text })),
    ),
  )
  const found = purposes.flatMap((text) =>
    Object.values(salts).filter((salt) => commitments.has(toHex(commitText('purpose', { salt, text })))),
  )

  expect(commitments.size).toBe(purposes.length)
  expect(found).toEqual([])
})
