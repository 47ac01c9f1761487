import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { webhooks } from '../texts/en/webhooks.ts'
import { checkSignature } from './check-signature.ts'

const secret = 'whsec_for_this_test'
const body = '{"type":"verification.completed","sent_at":"2026-11-15T12:00:00Z"}'
const now_seconds = 1_794_744_000
const sign = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex')
const header = `t=${now_seconds},v1=${sign(`${now_seconds}.${body}`)}`
const check = (changed: Partial<Parameters<typeof checkSignature>[0]>) =>
  checkSignature({ header, body, secret, now_seconds, ...changed }, webhooks.debugger)

test('[HOOK-11] the debugger accepts a message that any one of the signatures matches', async () => {
  expect((await check({})).valid).toBe(true)
  expect((await check({ header: `X-Service-Signature: ${header}` })).valid).toBe(true)
  const two = header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`)
  expect((await check({ header: two })).message).toContain('one of 2')
})

test('[HOOK-11] the debugger rejects a message and gives the reason', async () => {
  const cases: [Partial<Parameters<typeof checkSignature>[0]>, RegExp][] = [
    [{ header: `v1=${'0'.repeat(64)}` }, /no t=/],
    [{ header: 't=1' }, /no v1=/],
    [{ now_seconds: now_seconds + 301 }, /301 s in the past/],
    [{ now_seconds: now_seconds - 301 }, /301 s in the future/],
    [{ body: `${body}\n` }, /white space was added/],
    [{ body: JSON.stringify(JSON.parse(body), undefined, 2) }, /parsed and re-serialised/],
    [{ body: body.replace('completed', 'failed') }, /No signature matches/],
    [{ secret: 'whsec_another' }, /No signature matches/],
  ]
  for (const [changed, reason] of cases) {
    const verdict = await check(changed)
    expect(verdict.valid).toBe(false)
    expect(verdict.message).toMatch(reason)
  }
  expect((await check({ secret: 'for_this_test' })).advice).toContain('starts with whsec_')
})
