import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVerification } from '../../../test/verification.ts'
import { startService, type Service } from '../../../test/service.ts'
import type { WalletOptions } from '../../../test/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Refusal = { error: string; error_description?: string }

/** A wallet that refuses with this error, unencrypted or encrypted. */
const refusing = (refusal: Refusal): WalletOptions => ({
  alterations: { form: (_, { request }) => ({ ...refusal, state: request.state ?? '' }) },
})
const refusingEncrypted = (refusal: Refusal): WalletOptions => ({
  alterations: { parameters: () => ({ ...refusal }) },
})

async function refuse(holder: WalletOptions, more: object = {}) {
  const verification = await newVerification(service, { template: 'age_over_18', ...more })
  const first = await verification.respond(holder)
  return { ...verification, first, status: async () => (await verification.read()).status }
}

const denied = { error: 'access_denied' }

test.each([
  ['dc+sd-jwt', refusing(denied)],
  ['mso_mdoc', refusing(denied)],
  ['dc+sd-jwt', refusingEncrypted(denied)],
  ['mso_mdoc', refusing({ error: 'vp_formats_not_supported' })],
  ['dc+sd-jwt', refusing({ error: 'wallet_unavailable' })],
] as const)(
  'after a refusal without a reason another wallet completes the verification, in %s',
  async (format, holder) => {
    const { first, status, respond } = await refuse(holder)

    expect([first, await status()]).toEqual([{ status: 200, body: {} }, 'pending'])
    expect((await respond({ format })).status).toBe(200)
    expect(await status()).toBe('completed')
    expect((await respond(holder)).status).toBe(409)
  },
)

test('the second refusal ends the verification, even if both arrive at the same time', async () => {
  const { status, respond, read } = await refuse(refusing(denied))

  expect((await respond(refusing(denied))).status).toBe(200)
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'holder_declined' } })
  expect((await respond()).status).toBe(409)
  expect(await status()).toBe('failed')

  const raced = await newVerification(service)
  const responses = await Promise.all(Array.from({ length: 6 }, () => raced.respond(refusing(denied))))
  expect(responses.map((each) => each.status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 409, 409, 409, 409,
  ])
  expect((await raced.read()).status).toBe('failed')
})

test('a refusal with a reason, or in a verification with a redirect_url, ends the verification at once', async () => {
  const described = { ...denied, error_description: 'The holder declined.' }
  const redirect_url = 'https://shop.example/'

  expect(await (await refuse(refusing(described))).status()).toBe('failed')
  expect(await (await refuse(refusing({ error: 'invalid_request' }))).status()).toBe('failed')
  const redirected = await refuse(refusing(denied), { redirect_url })
  expect(redirected.first.body.redirect_uri).toContain('response_code=')
  expect(await redirected.status()).toBe('failed')
})
