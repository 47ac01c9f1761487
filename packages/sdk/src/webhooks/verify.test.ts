import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openapiDocument } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { WebhookError } from '../errors.ts'
import { webhooks } from '../index.ts'
import { mutate, countMutations } from '../../test/mutations.ts'

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
  const verification = webhooks.verify({
    body: vector.body ?? body,
    headers: vector.header === null ? {} : { 'X-Service-Signature': vector.header },
    secret: vector.secret ?? secret,
    now: vector.now ?? now,
    toleranceSeconds: tolerance_seconds,
  })

  const outcome = await verification.then(
    (event) => ({ event }),
    ({ name, reason }: WebhookError) => ({ name, reason }),
  )
  expect(outcome).toEqual(
    vector.reason === undefined
      ? { event: JSON.parse(vector.body ?? body) }
      : { name: 'WebhookError', reason: vector.reason },
  )
})

test('[HOOK-11] takes text, bytes and buffers, and headers as any framework provides them', async () => {
  const bytes = new TextEncoder().encode(body)
  for (const form of [body, bytes, Buffer.from(body), bytes.buffer]) {
    for (const headerBag of [headers, { 'X-SERVICE-SIGNATURE': header }, new Headers(headers)]) {
      const event = await webhooks.verify({ body: form, headers: headerBag, secret, now })
      expect(event.type).toBe('verification.completed')
    }
  }
})

test('[HOOK-11] the default tolerance is 300 seconds, and an invalid tolerance or clock rejects everything', async () => {
  const verifiesAt = (offset_seconds: number, toleranceSeconds?: number) =>
    webhooks
      .verify({
        body,
        headers,
        secret,
        now: now + offset_seconds,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      })
      .then(
        () => true,
        () => false,
      )

  expect([
    await verifiesAt(300),
    await verifiesAt(301),
    await verifiesAt(-300),
    await verifiesAt(-301),
  ]).toEqual([true, false, true, false])
  expect([
    await verifiesAt(10, 10),
    await verifiesAt(11, 10),
    await verifiesAt(0, 0),
    await verifiesAt(1, 0),
  ]).toEqual([true, false, true, false])
  for (const offset_seconds of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(await verifiesAt(offset_seconds)).toBe(false)
  expect(await verifiesAt(0, Number.NaN)).toBe(false)
})

test('[HOOK-11] an error says what to check', async () => {
  const failureOf = async (options: Partial<Parameters<typeof webhooks.verify>[0]>) => {
    const failed: unknown = await webhooks
      .verify({ body, headers, secret, now, ...options })
      .catch((error: unknown) => error)
    if (!(failed instanceof WebhookError)) throw new Error('verify did not throw')
    expect(failed.message).not.toContain(secret)
    return `${failed.reason}: ${failed.message}`
  }

  expect(await failureOf({ headers: {} })).toContain(
    'missing_header: The X-Service-Signature header is missing',
  )
  expect(await failureOf({ now: now + 342 })).toContain(
    '342 s ago, which exceeds the tolerance of 300 s by 42 s',
  )
  expect(await failureOf({ now: now - 1000 })).toContain('1000 s in the future')
  // A JSON middleware passes an object.
  const parsed = JSON.parse(body)
  expect(await failureOf({ body: parsed })).toContain('parsed_body: The body is already parsed')
  expect(await failureOf({ body: undefined as never })).toContain('parsed_body: The body is missing')
  const pretty = JSON.stringify(parsed, null, 2)
  expect(await failureOf({ body: pretty })).toContain(
    'matches the compact form of this body: it looks re-serialised',
  )
  const spaced = JSON.stringify({ sent_at: parsed.sent_at, ...parsed }, null, 1)
  expect(await failureOf({ body: spaced })).toContain(
    'not compact JSON as the service sends it: it looks re-serialised',
  )
  expect(await failureOf({ secret: 'whsec_another' })).toContain(
    'wrong_signature: The signature matches none of the secrets',
  )
  for (const unusable of ['', ' whsec_x', 'whsec_', `${secret}\n`, 'vk_test_abc', []]) {
    expect(await failureOf({ secret: unusable })).toContain('unusable_secret')
  }
  expect(await failureOf({ secret: undefined })).toContain('unusable_secret')
  expect(await failureOf({ headers: { 'x-service-signature': [header, header] } })).toContain(
    'more than once',
  )
  expect(
    await failureOf({ headers: { 'x-service-signature': `${header},v1=${'0'.repeat(2000)}` } }),
  ).toContain('characters')
})

test('[HOOK-11] one of two secrets is enough during a rotation', async () => {
  await webhooks.verify({ body, headers, secret: ['whsec_newer', secret], now })
  await expect(
    webhooks.verify({ body, headers, secret: ['whsec_newer', 'whsec_older'], now }),
  ).rejects.toThrow('none of the secrets')
})

test('[HOOK-11] a signed body that is not an event has its own reason', async () => {
  for (const other of ['{"verification":{}}', '{"type":7}', 'null', '[]', '7', 'no json', '']) {
    const signed = { 'x-service-signature': `t=${now},v1=${sign(secret, `${now}.${other}`)}` }
    await expect(webhooks.verify({ body: other, headers: signed, secret, now })).rejects.toMatchObject({
      reason: 'unreadable_event',
    })
  }
})

test.each([...Object.keys(Object(openapiDocument()['webhooks'])), 'verification.paused'])(
  '[HOOK-11] an event %s is returned as it was sent, with a valid signature only',
  async (type) => {
    const event = JSON.stringify({ type, sent_at: '2026-01-15T12:00:00.000000Z' })
    const signed = { 'x-service-signature': `t=${now},v1=${sign(secret, `${now}.${event}`)}` }

    expect(await webhooks.verify({ body: event, headers: signed, secret, now })).toEqual(JSON.parse(event))
    await expect(webhooks.verify({ body: event, headers, secret, now })).rejects.toMatchObject({
      reason: 'wrong_signature',
    })
  },
)

test('[HOOK-11] none of 20,000 mutations of headers and bodies verifies', async () => {
  expect(await countMutations({ n: 20_000, seed: 1 })).toEqual({ tried: 20_000, verified: 0, crashed: 0 })
})

test('[HOOK-11] the mutation count detects a verifier that checks only part of the signature', async () => {
  const carelessVerifier = async (message: { header: string; body: Uint8Array }) =>
    message.header.startsWith(header.slice(0, 40)) && Buffer.from(message.body).equals(Buffer.from(body))

  expect((await countMutations({ n: 2000, seed: 1, verify: carelessVerifier })).verified).toBeGreaterThan(10)
  expect(mutate({ header, body: Buffer.from(body) }, 1)).not.toEqual({ header, body: Buffer.from(body) })
})

function sign(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
