import { findFault } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/**
 * The OpenID Foundation's verifier plan (oid4vp-1final-verifier-haip-test-plan), reproduced against the running service from
 * outside, with a test for each module: what its wallet does, and how a verifier must react. The wallet of the happy flow
 * binds to a key of four members (minimal cnf) and fetches by POST with a wallet_nonce, as the sandbox wallet always does.
 */
const modules = [
  { module: 'happy flow, minimal cnf, POST with wallet_nonce', format: 'dc+sd-jwt', fault: undefined },
  { module: 'happy flow, POST with wallet_nonce', format: 'mso_mdoc', fault: undefined },
  { module: 'invalid credential signature', format: 'dc+sd-jwt', fault: 'issuer_signature' },
  { module: 'invalid credential signature', format: 'mso_mdoc', fault: 'issuer_signature' },
  { module: 'invalid KB-JWT signature', format: 'dc+sd-jwt', fault: 'kb_signature' },
  { module: 'invalid sd_hash', format: 'dc+sd-jwt', fault: 'kb_sd_hash' },
  { module: 'invalid KB-JWT nonce', format: 'dc+sd-jwt', fault: 'kb_nonce' },
  { module: 'invalid KB-JWT audience', format: 'dc+sd-jwt', fault: 'kb_audience' },
  { module: 'KB-JWT iat in the past', format: 'dc+sd-jwt', fault: 'kb_iat_past' },
  { module: 'KB-JWT iat in the future', format: 'dc+sd-jwt', fault: 'kb_iat_future' },
  { module: 'invalid session transcript', format: 'mso_mdoc', fault: 'session_other_nonce' },
] as const

test.each(modules)(
  '[WREQ-2] [WRES-6] OpenID Foundation: $module ($format)',
  async ({ format, fault: name }) => {
    const merchant = await service.tenant()
    const created = (await merchant.post('/v1/verifications', { template: 'identity_basic' })).body
    const fault = name === undefined ? undefined : findFault(name)
    const wallet = await openWallet(service.ctx, service.address, {
      format,
      ...(fault !== undefined && { alterations: fault.alterations }),
    })

    const responded = await wallet.respond(created.wallet_uri)

    expect(responded).toMatchObject({ sent: true, http_status: 200 })
    const { status } = (await merchant.get(`/v1/verifications/${created.id}`)).body
    expect([name, fault === undefined, status]).toEqual([
      name,
      name === undefined,
      name === undefined ? 'completed' : 'failed',
    ])
  },
)

test('[WREQ-2] OpenID Foundation: the request object is fetched twice', async () => {
  const merchant = await service.tenant()
  const created = (await merchant.post('/v1/verifications', { template: 'identity_basic' })).body
  const wallet = await openWallet(service.ctx, service.address)
  await service.anonymous.get(`/wallet/request/${created.id}`)

  expect(await wallet.respond(created.wallet_uri)).toMatchObject({ sent: true, http_status: 200 })
  expect((await merchant.get(`/v1/verifications/${created.id}`)).body.status).toBe('completed')
})
