import type { Format } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { openWallet, type HolderChannel, type WalletOptions } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { maxUnreadableResponses } from './accept-response.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant({ daily_quota: 10_000 })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, age_app: true })
})
afterAll(() => service[Symbol.asyncDispose]())

type Alterations = NonNullable<WalletOptions['alterations']>

/** Makes each credential unreadable, on every channel of its format. */
const unreadable: Alterations = {
  issuer_header: (right) => ({ ...right, typ: 'JWT' }),
  mso: (right) => new Map([...right, ['version', '2.0']]),
}
const untrusted: Alterations = {
  kb_payload: (right) => ({ ...right, nonce: 'another' }),
  verification: (right) => ({ ...right, nonce: 'another' }),
}

async function open() {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const respond = async (channel: HolderChannel, options: WalletOptions) => {
    const responded = await (
      await openWallet(service.ctx, service.address, options)
    ).respondOver(channel, body.id)
    if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
    return { status: responded.http_status, body: JSON.parse(responded.body) }
  }
  const read = async () => (await merchant.get(`/v1/verifications/${body.id}`)).body
  return { id: body.id as string, respond, read }
}

const cases: [HolderChannel, Format][] = [
  ['redirect', 'dc+sd-jwt'],
  ['redirect', 'mso_mdoc'],
  ['screen', 'dc+sd-jwt'],
  ['screen', 'mso_mdoc'],
  ['dc_api', 'dc+sd-jwt'],
  ['dc_api', 'mso_mdoc'],
  ['annex_c', 'mso_mdoc'],
  ['age_app', 'mso_mdoc'],
  ['age_app_screen', 'mso_mdoc'],
]

test.each(cases)(
  '[WRES-21] over %s in %s, the holder can respond again after responses that cannot be read',
  async (channel, format) => {
    const { respond, read } = await open()
    for (let sent = 0; sent < maxUnreadableResponses; sent += 1) {
      const { status, body } = await respond(channel, { format, alterations: unreadable })
      expect([status, body.error.code]).toEqual([400, 'invalid_wallet_response'])
      expect(body.error.message).toContain('credential_encoding')
      expect((await read()).status).toBe('pending')
    }
    expect((await respond(channel, { format })).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
  },
)

test.each(cases)(
  '[WRES-21] over %s in %s, one more response that cannot be read is final, and so is one that can and fails',
  async (channel, format) => {
    const { respond, read } = await open()
    for (let sent = 0; sent < maxUnreadableResponses; sent += 1)
      await respond(channel, { format, alterations: unreadable })
    expect((await respond(channel, { format, alterations: unreadable })).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'failed', error: { code: 'credential_malformed' } })
    const late = await respond(channel, { format }).catch((error: unknown) => String(error))
    expect(late).not.toMatchObject({ status: 200 })

    const other = await open()
    expect((await other.respond(channel, { format, persona: 'expired' })).status).toBe(200)
    expect((await other.read()).status).toBe('failed')
  },
)

test('[WRES-21] of many unreadable responses at once, a few leave the verification open and one ends it', async () => {
  const { id } = await open()
  const forms: string[] = []
  const wallet = await openWallet(service.ctx, service.address, {
    alterations: unreadable,
    onPost: (form) => forms.push(form),
  })
  await wallet.respondOver('redirect', id)
  const posts = Array.from({ length: 20 }, async () => {
    const response = await fetch(`${service.address}/wallet/response/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: forms[0] ?? '',
    })
    return response.status
  })
  const statuses = await Promise.all(posts)
  const count = (status: number) => statuses.filter((each) => each === status).length
  expect([count(400), count(200), count(409)]).toEqual([maxUnreadableResponses, 1, 16])
})

test('the timeline counts what could not be read, and a wrong binding beside it ends the verification', async () => {
  const { id, respond, read } = await open()
  await respond('redirect', { format: 'dc+sd-jwt', alterations: unreadable })
  await respond('screen', { format: 'mso_mdoc', alterations: unreadable })
  const owner = await signIn(service, merchant)
  const { body } = await owner.call('getVerification', { params: { environment: 'test', id } })
  expect(body.timeline).toContainEqual({ at: expect.any(String), kind: 'unreadable', count: 2 })
  expect((await respond('redirect', { format: 'dc+sd-jwt', alterations: untrusted })).status).toBe(200)
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'holder_binding_invalid' } })
})
