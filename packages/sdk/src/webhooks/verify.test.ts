import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WebhookError } from '../errors.ts'
import { webhooks } from '../index.ts'
import { mutate, mutationsOf } from '../../test/mutations.ts'

type Vectors = {
  common: { secret: string; now: number; tolerance_seconds: number; body: string }
  cases: {
    name: string
    header: string | null
    body?: string
    secret?: string
    now?: number
    reason?: string
  }[]
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../vectors/webhooks.json', import.meta.url), 'utf8'),
)
const { secret, now, tolerance_seconds, body } = vectors.common
const header = `t=${now},v1=${sign(secret, `${now}.${body}`)}`
const headers = { 'x-service-signature': header }

test.each(vectors.cases)('[HOOK-11] published vector: $name', async (vector) => {
  const asked = webhooks.verify({
    body: vector.body ?? body,
    headers: vector.header === null ? {} : { 'X-Service-Signature': vector.header },
    secret: vector.secret ?? secret,
    now: vector.now ?? now,
    toleranceSeconds: tolerance_seconds,
  })

  const outcome = await asked.then(
    (event) => ({ event }),
    ({ name, reason }: WebhookError) => ({ name, reason }),
  )
  expect(outcome).toEqual(
    vector.reason === undefined
      ? { event: JSON.parse(vector.body ?? body) }
      : { name: 'WebhookError', reason: vector.reason },
  )
})

test('[HOOK-11] takes text, bytes and buffers, and headers as any framework hands them over', async () => {
  const bytes = new TextEncoder().encode(body)
  for (const form of [body, bytes, Buffer.from(body), bytes.buffer]) {
    for (const bag of [headers, { 'X-SERVICE-SIGNATURE': header }, new Headers(headers)]) {
      const event = await webhooks.verify({ body: form, headers: bag, secret, now })
      expect(event.type).toBe('verification.completed')
    }
  }
})

test('[HOOK-11] the tolerance is 300 seconds unless given, and no odd tolerance or clock accepts anything', async () => {
  const at = (off: number, toleranceSeconds?: number) =>
    webhooks
      .verify({
        body,
        headers,
        secret,
        now: now + off,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      })
      .then(
        () => true,
        () => false,
      )

  expect([await at(300), await at(301), await at(-300), await at(-301)]).toEqual([true, false, true, false])
  expect([await at(10, 10), await at(11, 10), await at(0, 0), await at(1, 0)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  for (const off of [Number.NaN, Number.POSITIVE_INFINITY]) expect(await at(off)).toBe(false)
  expect(await at(0, Number.NaN)).toBe(false)
})

test('[HOOK-11] an error says what to look at', async () => {
  const said = async (options: Partial<Parameters<typeof webhooks.verify>[0]>) => {
    const failed: unknown = await webhooks
      .verify({ body, headers, secret, now, ...options })
      .catch((error: unknown) => error)
    if (!(failed instanceof WebhookError)) throw new Error('it verified')
    expect(failed.message).not.toContain(secret)
    return `${failed.reason}: ${failed.message}`
  }

  expect(await said({ headers: {} })).toContain('missing_header: There is no X-Service-Signature header')
  expect(await said({ now: now + 342 })).toContain(
    '342 s ago, which is outside the tolerance of 300 s by 42 s',
  )
  expect(await said({ now: now - 1000 })).toContain('1000 s in the future')
  // What a JSON middleware hands over.
  const parsed = JSON.parse(body)
  expect(await said({ body: parsed })).toContain('parsed_body: The body is already parsed')
  expect(await said({ body: undefined as never })).toContain('parsed_body: The body is missing')
  const pretty = JSON.stringify(parsed, null, 2)
  expect(await said({ body: pretty })).toContain('fits the compact form of this body: it looks re-serialised')
  const spaced = JSON.stringify({ sent_at: parsed.sent_at, ...parsed }, null, 1)
  expect(await said({ body: spaced })).toContain('not as the service writes it: it looks re-serialised')
  expect(await said({ secret: 'whsec_another' })).toContain(
    'wrong_signature: The signature fits none of the secrets',
  )
  for (const unusable of ['', ' whsec_x', 'whsec_', `${secret}\n`, 'vk_test_abc', []]) {
    expect(await said({ secret: unusable })).toContain('unusable_secret')
  }
  expect(await said({ secret: undefined as never })).toContain('unusable_secret')
  expect(await said({ headers: { 'x-service-signature': [header, header] } })).toContain('more than once')
  expect(await said({ headers: { 'x-service-signature': `${header},v1=${'0'.repeat(2000)}` } })).toContain(
    'characters',
  )
})

test('[HOOK-11] either of two secrets is enough, while a merchant changes over', async () => {
  await webhooks.verify({ body, headers, secret: ['whsec_newer', secret], now })
  await expect(
    webhooks.verify({ body, headers, secret: ['whsec_newer', 'whsec_older'], now }),
  ).rejects.toThrow('none of the secrets')
})

test('[HOOK-11] what is signed but is no event that is known is told apart', async () => {
  for (const other of [
    '{"type":"verification.paused","verification":{}}',
    'null',
    '[]',
    '7',
    'no json',
    '',
  ]) {
    const signed = { 'x-service-signature': `t=${now},v1=${sign(secret, `${now}.${other}`)}` }
    await expect(webhooks.verify({ body: other, headers: signed, secret, now })).rejects.toMatchObject({
      reason: 'unreadable_event',
    })
  }
})

test('[HOOK-11] a message that tries the address out is an event too', async () => {
  const tried = '{"type":"webhook.test","environment":"test","sent_at":"2026-01-15T12:00:00.000000Z"}'
  const signed = { 'x-service-signature': `t=${now},v1=${sign(secret, `${now}.${tried}`)}` }

  expect(await webhooks.verify({ body: tried, headers: signed, secret, now })).toEqual(JSON.parse(tried))
})

test('[HOOK-11] none of 20,000 mutations of headers and bodies verifies', async () => {
  expect(await mutationsOf({ n: 20_000, seed: 1 })).toEqual({ tried: 20_000, verified: 0, crashed: 0 })
})

test('[HOOK-11] the count of mutations notices a verifier that looks at part of the signature only', async () => {
  const careless = async (message: { header: string; body: Uint8Array }) =>
    message.header.startsWith(header.slice(0, 40)) && Buffer.from(message.body).equals(Buffer.from(body))

  expect((await mutationsOf({ n: 2000, seed: 1, verifies: careless })).verified).toBeGreaterThan(10)
  expect(mutate({ header, body: Buffer.from(body) }, 1)).not.toEqual({ header, body: Buffer.from(body) })
})

function sign(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
