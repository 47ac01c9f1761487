import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { clientInput } from '../../../test/openid-clients.ts'
import { activateKey, newSealingKey, openWithKey } from '../../../test/sealing.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { registerSite } from '../../../test/openid/site.ts'
import { sql } from '../../engine/db/sql.ts'
import { createClient } from '../../holder/openid-provider/clients/create-client.ts'
import { putTemplate } from '../../templates/put-template.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const states = async (merchant: Merchant) =>
  (await merchant.get('/v1/sealing_keys')).body.data.map(({ state }: { state: string }) => state)

test('[SEAL-2] a key seals nothing before its challenge is answered, and only its owner can answer it', async () => {
  const merchant = await service.tenant()
  const [key, stranger] = [await newSealingKey(), await newSealingKey()]
  const registered = await merchant.post('/v1/sealing_keys', { jwk: key.publicJwk, name: 'Back office' })
  const path = `/v1/sealing_keys/${key.kid}/activate`

  expect([registered.status, registered.body.key]).toMatchObject([
    201,
    { kid: key.kid, state: 'pending', name: 'Back office', environment: 'test', jwk: key.publicJwk },
  ])
  await expect(openWithKey(registered.body.challenge, stranger)).rejects.toThrow('decryption')
  const guessed = await merchant.post(path, { challenge: 'a guess' })
  expect([guessed.status, guessed.body.error.code]).toEqual([409, 'sealing_conflict'])
  expect(await states(merchant)).toEqual(['pending'])

  const challenge = await openWithKey(registered.body.challenge, key)
  const activated = await merchant.post(path, { challenge })
  expect([activated.status, activated.body.state]).toEqual([200, 'active'])
  expect((await merchant.post(path, { challenge })).body.error.message).toContain('active already')
  const again = await merchant.post('/v1/sealing_keys', { jwk: key.publicJwk })
  expect([again.status, again.body.error.code]).toEqual([409, 'sealing_conflict'])
})

test('[SEAL-2] registering a pending key again replaces its challenge, and a challenge ends after an hour', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const key = await newSealingKey()
  const register = async () => {
    const { body } = await merchant.post('/v1/sealing_keys', { jwk: key.publicJwk })
    return openWithKey(body.challenge, key)
  }
  const activate = async (challenge: string) =>
    (await merchant.post(`/v1/sealing_keys/${key.kid}/activate`, { challenge })).status
  const [first, second] = [await register(), await register()]

  expect(await activate(first)).toBe(409)
  await setClockOffset(own.ctx.db, '1 hour')
  expect(await activate(second)).toBe(409)
  expect(await activate(await register())).toBe(200)
})

test('[SEAL-2] keys that cannot be used are refused with the reason', async () => {
  const merchant = await service.tenant()
  const { publicJwk, privateJwk } = await newSealingKey()
  const flat = { ...publicJwk, y: publicJwk.x }
  const refused = async (jwk: object) => (await merchant.post('/v1/sealing_keys', { jwk })).body.error.message

  expect(await refused(privateJwk)).toContain('leave out d')
  expect(await refused(flat)).toContain('not a point of the curve')
  expect(await refused({ ...publicJwk, crv: 'P-384' })).toContain('crv')
  expect(await refused({ ...publicJwk, x: 'short' })).toContain('32 bytes')
  expect(
    (await merchant.post('/v1/sealing_keys', { jwk: { ...publicJwk, use: 'enc', kid: 'mine' } })).status,
  ).toBe(201)
})

test('[SEAL-2] five keys of an environment can be registered at a time, and the other environment has its own', async () => {
  const merchant = await service.tenant()
  const live = await merchant.as({ environment: 'live' })
  for (let n = 0; n < 5; n += 1) await activateKey(merchant)
  const { publicJwk: jwk } = await newSealingKey()
  const more = await merchant.post('/v1/sealing_keys', { jwk })

  expect([more.status, more.body.error.code]).toEqual([409, 'too_many'])
  expect((await live.post('/v1/sealing_keys', { jwk })).status).toBe(201)
  expect((await live.get('/v1/sealing_keys')).body.data).toHaveLength(1)
})

test('[SEAL-2] keys overlap when they are rotated; the last one is retired only by asking to end sealing', async () => {
  const merchant = await service.tenant()
  const [old, next] = [await activateKey(merchant), await activateKey(merchant)]

  expect((await merchant.delete(`/v1/sealing_keys/${old.kid}`)).status).toBe(200)
  expect(await states(merchant)).toEqual(['retired', 'active'])
  const reused = await merchant.post('/v1/sealing_keys', { jwk: old.publicJwk })
  expect([reused.status, reused.body.error.code]).toEqual([409, 'sealing_conflict'])
  const refused = await merchant.delete(`/v1/sealing_keys/${next.kid}`)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'sealing_conflict'])
  expect((await merchant.delete(`/v1/sealing_keys/${next.kid}?end_sealing=true`)).body).toEqual({ data: [] })
})

test('[SEAL-4] what would have to read sealed results is refused at both ends, with its name and the reason', async () => {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const template = {
    name: 'With photo',
    description: 'A photo.',
    query: {
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:1'] },
          claims: [{ path: ['picture'] }],
        },
      ],
    },
  }
  await putTemplate(service.ctx, { by, key: 'photo', template })
  const { client_id } = await createClient(service.ctx, clientInput({ by, name: 'The shop' }))
  const device = (
    await merchant.post('/v1/devices', { name: 'The till', allowed_templates: ['age_over_18', 'photo'] })
  ).body.device
  const key = await newSealingKey()
  const { body } = await merchant.post('/v1/sealing_keys', { jwk: key.publicJwk })
  const challenge = await openWithKey(body.challenge, key)
  const activate = async () => {
    const response = await merchant.post(`/v1/sealing_keys/${key.kid}/activate`, { challenge })
    return response.status === 200 ? 'active' : response.body.error.message
  }

  expect(await activate()).toContain('The shop')
  await merchant.delete(`/v1/openid_clients/${client_id}`)
  expect(await activate()).toContain('The till')
  await merchant.patch(`/v1/devices/${device.id}`, { allowed_templates: ['age_over_18'] })
  expect(await activate()).toBe('active')

  const requests = [
    merchant.post('/v1/openid_clients', {
      name: 'Shop',
      redirect_uris: ['https://shop.example/cb'],
      templates: ['age_over_18'],
    }),
    merchant.post('/v1/devices', { name: 'Bar', allowed_templates: ['photo'] }),
    merchant.patch(`/v1/devices/${device.id}`, { allowed_templates: ['photo'] }),
  ]
  for (const { status, body: refusal } of await Promise.all(requests))
    expect([status, refusal.error.code]).toEqual([409, 'sealing_conflict'])
  expect(
    (await merchant.post('/v1/devices', { name: 'Bar', allowed_templates: ['age_over_18'] })).status,
  ).toBe(201)
})

test('[SEAL-4] an OpenID client of which every result stays readable gets it where results are sealed, and no template with more', async () => {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const age = (clear_claims: string[]) => ({
    name: 'Adult',
    description: 'An adult.',
    query: {
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:1'] },
          claims: [{ path: ['birthdate'] }],
        },
      ],
    },
    claims: { birthdate: [{ credential: 'pid', path: ['birthdate'] }] },
    derive: { age_over_18: { from: 'birthdate', at_least_years: 18 } },
    clear_claims,
  })
  const put = (template: object) => putTemplate(service.ctx, { by, key: 'adult', template })
  await put(age([]))
  const site = await registerSite(service, { merchant, templates: ['adult'] })
  const key = await newSealingKey()
  const { body } = await merchant.post('/v1/sealing_keys', { jwk: key.publicJwk })
  const challenge = await openWithKey(body.challenge, key)
  const activate = () => merchant.post(`/v1/sealing_keys/${key.kid}/activate`, { challenge })
  expect((await activate()).body.error.message).toContain('the claims of adult')
  await put(age(['age_over_18']))
  expect((await activate()).status).toBe(200)

  const { code, verifier } = await site.obtainCode({ format: 'dc+sd-jwt' })
  const { body: tokens } = await site.exchange({ code, code_verifier: verifier })
  const { verified } = (await site.userinfo(tokens.access_token)).body
  expect(verified).toEqual({ age_over_18: true })

  const change = await merchant.patch(`/v1/openid_clients/${site.client_id}`, { templates: ['age_over_18'] })
  expect([change.status, change.body.error.code]).toEqual([409, 'sealing_conflict'])
  expect(change.body.error.message).toContain('clear_claims')
  // Changed afterwards: refused at the creation, and never signed in without claims.
  await put(age([]))
  await expect(site.obtainCode({ format: 'dc+sd-jwt' })).rejects.toThrow(/./)
})

test('[SEAL-3] without an active key nothing is created, instead of being stored unsealed', async () => {
  const merchant = await service.tenant()
  const { kid } = await activateKey(merchant)
  // As a restored database is left by the erasure ledger.
  await service.ctx.db.execute(sql`
    update sealing_keys set state = 'retired', retired_at = service_now() where kid = ${kid}`)

  const created = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect([created.status, created.body.error.code]).toEqual([422, 'sealing_key_missing'])
  await activateKey(merchant)
  expect((await merchant.post('/v1/verifications', { template: 'age_over_18' })).status).toBe(201)
})
