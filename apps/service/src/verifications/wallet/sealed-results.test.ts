import type { SealingKey } from '@vidimus/contract'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDeliveryService } from '../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { activateKey, openWithKey } from '../../../test/sealing.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { namesOfHolder, renameHolder } from '../../../test/fault-verifications.ts'
import { sealing } from '../../../../../packages/sdk/src/index.ts'
import type { SealingPrivateJwk } from '../../../../../packages/sdk/src/sealing/private-key.ts'
import { countSealedTo } from '../retention/store.ts'
import { sql } from '../../engine/db/sql.ts'
import { putTemplate } from '../../templates/put-template.ts'

let service: Service
const log: string[] = []
beforeAll(async () => {
  service = await startService({ environment: { LOG_LEVEL: 'trace' }, onLog: (line) => log.push(line) })
})
afterAll(() => service[Symbol.asyncDispose]())

const pid = {
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1'] },
  claims: [{ path: ['family_name'] }, { path: ['given_name'] }, { path: ['birthdate'] }],
}
const names = { query: { credentials: [pid] } }

/** Creates a verification and has a wallet respond. */
async function verify(merchant: Merchant, body: object = names, options: WalletOptions = {}) {
  const created = (await merchant.post('/v1/verifications', body)).body
  const wallet = await openWallet(service.ctx, service.address, { format: 'dc+sd-jwt', ...options })
  const responded = await wallet.respond(created.wallet_uri)
  const { body: verification, text } = await merchant.get(`/v1/verifications/${created.id}`)
  return {
    id: created.id as string,
    verification,
    text,
    responded,
    holder: namesOfHolder(wallet.wallet.credentials),
  }
}

test('[SEAL-1] claims, issuers and details are sealed to the key; status, types and booleans stay readable', async () => {
  const merchant = await service.tenant()
  const key = await activateKey(merchant)
  const { id, verification, holder, text } = await verify(merchant)

  expect(verification).toMatchObject({
    status: 'completed',
    claims: {
      _sealed: { ciphertext: expect.any(String), recipients: [{ encrypted_key: expect.any(String) }] },
    },
    credentials: [
      {
        format: 'dc+sd-jwt',
        doctype_or_vct: 'urn:eudi:pid:1',
        claims: {},
        issuer: {},
        trusted: true,
        signature_valid: true,
        holder_binding_valid: true,
      },
    ],
  })
  const opened = JSON.parse(await openWithKey(verification.claims['_sealed'], key))
  expect(opened).toMatchObject({
    id,
    environment: 'test',
    claims: { family_name: expect.any(String), birthdate: expect.any(String) },
    credentials: [
      { claims: { family_name: expect.any(String) }, issuer: { common_name: expect.any(String) } },
    ],
  })
  expect(holder).toContain(opened.claims.family_name)
  for (const name of holder) expect(text).not.toContain(name)
})

test('[SEAL-2] a result is sealed to every active key, and a retired one opens only what is older', async () => {
  const merchant = await service.tenant()
  const old = await activateKey(merchant)
  const first = await verify(merchant)
  const next = await activateKey(merchant)
  const both = await verify(merchant)
  await merchant.delete(`/v1/sealing_keys/${old.kid}`)
  const last = await verify(merchant)

  const opens = async ({ verification }: typeof first, key: typeof old) =>
    openWithKey(verification.claims['_sealed'], key).then(
      () => true,
      () => false,
    )
  expect([await opens(first, old), await opens(first, next)]).toEqual([true, false])
  expect([await opens(both, old), await opens(both, next)]).toEqual([true, true])
  expect([await opens(last, old), await opens(last, next)]).toEqual([false, true])
  const counts = async () =>
    (await merchant.get('/v1/sealing_keys')).body.data.map(({ kid, results }: SealingKey) => [kid, results])
  expect(await counts()).toEqual([
    [old.kid, { count: 2, more: false }],
    [next.kid, { count: 2, more: false }],
  ])
  await merchant.delete(`/v1/verifications/${both.id}`)
  expect(await counts()).toEqual([
    [old.kid, { count: 1, more: false }],
    [next.kid, { count: 1, more: false }],
  ])
  const of = {
    tenant_id: merchant.tenant_id,
    environment: 'test',
    kid: next.kid,
    from: '2020-01-01T00:00:00Z',
  } as const
  expect(await countSealedTo(service.ctx.db, { ...of, to: null }, 0)).toEqual({ count: 0, more: true })
})

test('[SEAL-1] requirements, derived claims and comparisons are decided before sealing', async () => {
  const merchant = await service.tenant()
  const key = await activateKey(merchant)
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const template = {
    name: 'Known adult',
    description: 'An adult whom we know.',
    query: { credentials: [{ ...pid, claims: [{ path: ['birthdate'] }, { path: ['family_name'] }] }] },
    claims: {
      birthdate: [{ credential: 'pid', path: ['birthdate'] }],
      family_name: [{ credential: 'pid', path: ['family_name'] }],
    },
    derive: {
      adult: { from: 'birthdate', at_least_years: 18 },
      known: { from: 'family_name', matches: 'name' },
    },
    must: { known: { equals: true } },
  }
  expect(await putTemplate(service.ctx, { by, key: 'known', template })).toEqual([])
  const { verification: plain } = await verify(await service.tenant())
  const { family_name } = plain.claims
  const known = await verify(merchant, { template: 'known', expected: { family_name } })
  const unknown = await verify(merchant, { template: 'known', expected: { family_name: 'Somebody Else' } })

  expect(known.verification.status).toBe('completed')
  const opened = JSON.parse(await openWithKey(known.verification.claims['_sealed'], key))
  expect(opened.claims).toEqual({ adult: true, known: true })
  expect(unknown.verification).toMatchObject({ status: 'failed', error: { code: 'requirement_not_met' } })
  expect(unknown.text).not.toContain(family_name)
})

test('[SEAL-1] what a template lists as clear, true or false, stays readable beside the sealed result, and nothing else does', async () => {
  const merchant = await service.tenant()
  const key = await activateKey(merchant)
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const template = {
    name: 'Adult',
    description: 'An adult, by name.',
    query: { credentials: [{ ...pid, claims: [{ path: ['birthdate'] }, { path: ['family_name'] }] }] },
    claims: {
      birthdate: [{ credential: 'pid', path: ['birthdate'] }],
      family_name: [{ credential: 'pid', path: ['family_name'] }],
    },
    derive: {
      age_over_18: { from: 'birthdate', at_least_years: 18 },
      age_over_99: { from: 'birthdate', at_least_years: 99 },
    },
    clear_claims: ['age_over_18', 'age_over_99'],
  }
  expect(await putTemplate(service.ctx, { by, key: 'adult', template })).toEqual([])
  const { id, verification, holder, text } = await verify(merchant, { template: 'adult' })

  const { _sealed, ...clear } = verification.claims
  expect(clear).toEqual({ age_over_18: true, age_over_99: false })
  const { claims } = await sealing.openResult(verification, key.privateJwk as SealingPrivateJwk)
  expect(claims).toEqual({ ...clear, family_name: expect.any(String) })
  for (const name of holder) expect(text).not.toContain(name)
  const member = await signIn(service, merchant)
  const { body: shown } = await member.call('getVerification', { params: { environment: 'test', id } })
  expect(shown.claim_names.toSorted()).toEqual(['_sealed', 'age_over_18', 'age_over_99'])

  const exported = await merchant.get('/v1/config')
  expect(exported.body.templates).toMatchObject({
    adult: { template: { clear_claims: template.clear_claims } },
  })
  const unclear = { ...template, clear_claims: ['age_over_18', 'family_name'] }
  expect(await putTemplate(service.ctx, { by, key: 'adult', template: unclear })).toEqual([
    { place: 'clear_claims[1]', rule: expect.stringContaining('true or false in every result') },
  ])
})

test('[SEAL-1] a failed verification names the check, and keeps no detail of it', async () => {
  const merchant = await service.tenant()
  await activateKey(merchant)
  const child = await verify(merchant, { template: 'age_over_18' }, { persona: 'minor' })
  const declined = await verify(merchant, names, { behaviour: 'declines' })

  expect(child.verification).toMatchObject({ status: 'failed', error: { code: expect.any(String) } })
  expect(child.verification.error.message).toContain('Details are not kept')
  expect(declined.verification.error).toMatchObject({
    code: 'holder_declined',
    message: expect.stringContaining('Details are not kept'),
  })
})

test('[SEAL-1] webhooks, redemption, lists, reveals and exports carry the ciphertext', async () => {
  await using own = await startDeliveryService()
  await using receiver = await startReceiver(reply(204))
  const merchant = await own.tenant()
  const owner = await signIn(own, merchant)
  const key = await activateKey(merchant)
  const { id, wallet_uri } = (
    await merchant.post('/v1/verifications', {
      ...names,
      webhook_url: receiver.url,
      redirect_url: 'https://shop.example/return',
    })
  ).body
  const wallet = await openWallet(own.ctx, own.address, { format: 'dc+sd-jwt' })
  const responded = await wallet.respond(wallet_uri)
  if (!responded.sent) throw new Error('the wallet did not respond')
  const response_code = /response_code=([\w-]+)/.exec(responded.body)?.[1]
  const worker = own.startWorker()
  await own.waitForAttempts(merchant, 1)
  await worker.stop()
  const params = { environment: 'test', id }
  const texts = [
    receiver.received[0]?.body ?? '',
    (await merchant.post(`/v1/verifications/${id}/redeem`, { response_code })).text,
    (await merchant.get('/v1/verifications')).text,
    (await owner.call('revealClaims', { params })).text,
    (await owner.call('exportClaims', { params })).text,
  ]
  const sealed = (await merchant.get(`/v1/verifications/${id}`)).body.claims['_sealed']

  expect(JSON.parse(await openWithKey(sealed, key)).id).toBe(id)
  const holder = namesOfHolder(wallet.wallet.credentials)
  for (const text of texts) {
    expect(text).toContain(sealed.ciphertext)
    for (const name of holder) expect(text).not.toContain(name)
  }
})

test('the same tenant without a key stores and returns claims as before', async () => {
  const merchant = await service.tenant()
  const { verification } = await verify(merchant)
  const { kid } = await activateKey(merchant)
  await merchant.delete(`/v1/sealing_keys/${kid}?end_sealing=true`)
  const after = await verify(merchant)

  expect(after.verification.claims).toEqual(verification.claims)
})

test('[SEAL-1] with a key, no claim is in the database, its write-ahead log, the service log or a response; planted, it is found', async () => {
  await using own = await startService({
    environment: { LOG_LEVEL: 'trace' },
    onLog: (line) => log.push(line),
  })
  const { db } = own.ctx
  const [merchant, unsealed] = [await own.tenant(), await own.tenant()]
  await activateKey(merchant)
  const canary = `Canary${randomUUID()}`
  const wallet = await openWallet(own.ctx, own.address, { format: 'dc+sd-jwt' })
  renameHolder(wallet.wallet.credentials, canary)
  const responses: string[] = []
  const present = async (by: Merchant) => {
    const { body } = await by.post('/v1/verifications', { ...names, webhook_url: 'https://8.8.8.8/hook' })
    await wallet.respond(body.wallet_uri)
    const { body: verification, text } = await by.get(`/v1/verifications/${body.id}`)
    responses.push(text)
    return verification
  }
  const places = async () => {
    const [wal] = await db.query<{ found: boolean }>(sql`
      select bool_or(position(convert_to(${canary}, 'UTF8') in content) > 0) as found
      from pg_ls_waldir(), pg_read_binary_file('pg_wal/' || name, 0, size, true) as content
      where name ~ '^[0-9A-F]{24}$'`)
    const dump = execFileSync('pg_dump', ['--data-only', own.database_url], { maxBuffer: 1 << 28 })
    return {
      dump: dump.includes(canary),
      wal: wal?.found,
      log: log.join('').includes(canary),
      responses: responses.join('').includes(canary),
    }
  }
  for (let n = 0; n < 20; n += 1) expect((await present(merchant)).status).toBe('completed')

  expect(await places()).toEqual({ dump: false, wal: false, log: false, responses: false })
  expect((await present(unsealed)).claims.family_name).toBe(canary)
  expect(await places()).toEqual({ dump: true, wal: true, log: false, responses: true })
})
