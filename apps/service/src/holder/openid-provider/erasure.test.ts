import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { forgetDelivered } from '../../verifications/retention/expire.ts'
import { sweepAuthorizations } from './sweep.ts'

let service: Service
let site: Site
beforeAll(async () => {
  service = await startService()
  site = await registerSite(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const erase = (id: string, of = site) => of.merchant.delete(`/v1/verifications/${id}`)
const countAuthorizations = async (id: string) =>
  (await service.ctx.db.query(sql`select from openid_authorizations where verification_id = ${id}`)).length

test('[OIDC-13] an erased verification has no code, no tokens and no trace', async () => {
  const before = await site.obtainCode()
  expect((await erase(before.id)).status).toBe(200)
  const exchanged = await site.exchange({ code: before.code, code_verifier: before.verifier })
  expect([exchanged.status, exchanged.body.error]).toEqual([400, 'invalid_grant'])
  expect(await countAuthorizations(before.id)).toBe(0)

  const after = await site.obtainCode()
  const { body } = await site.exchange({ code: after.code, code_verifier: after.verifier })
  expect((await site.userinfo(body.access_token)).body.verified).toEqual({ age_over_18: true })
  await erase(after.id)
  expect((await site.userinfo(body.access_token)).status).toBe(401)

  const waiting = openCookieJar(service)
  const end = await site.authorize(waiting, site.request().params)
  if (!('id' in end)) throw new Error('There is no verification.')
  const { redirect_url } = (await site.merchant.get(`/v1/verifications/${end.id}`)).body
  await erase(end.id)
  expect(await waiting.open(redirect_url)).toMatchObject({ status: 400 })
})

test('[OIDC-13] an erasure that races with the exchange leaves nothing that can be read', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id, code, verifier } = await site.obtainCode()
    const [exchanged, erased] = await Promise.all([
      site.exchange({ code, code_verifier: verifier }),
      erase(id),
    ])
    expect([200, 400]).toContain(exchanged.status)
    expect(erased.status).toBe(200)
    expect((await site.userinfo(exchanged.body.access_token ?? 'none')).status).toBe(401)
    expect(await countAuthorizations(id)).toBe(0)
  }
})

test('a tenant that forgets on delivery forgets after the exchange and its five minutes, not before', async () => {
  const forgetful = await registerSite(service)
  await service.ctx.db.execute(
    sql`update tenants set forget_on_delivery = true where id = ${forgetful.merchant.tenant_id}`,
  )
  const { id, code, verifier } = await forgetful.obtainCode()
  const read = async () => (await forgetful.merchant.get(`/v1/verifications/${id}`)).body.claims
  // A webhook is delivered before the site exchanges its code.
  const [verification] = await service.ctx.db.query<{ day: string; id: string }>(
    sql`select day, id from verification_sessions where id = ${id}`,
  )
  if (verification === undefined) throw new Error('There is no such session.')
  await service.ctx.db.transaction((tx) => forgetDelivered(service.ctx, tx, [verification]))
  const { body } = await forgetful.exchange({ code, code_verifier: verifier })
  await sweepAuthorizations(service.ctx)
  expect((await forgetful.userinfo(body.access_token)).body.verified).toEqual({ age_over_18: true })
  expect(await read()).toEqual({ age_over_18: true })

  await service.ctx.db.execute(
    sql`update openid_authorizations set ends_at = service_now() where verification_id = ${id}`,
  )
  await sweepAuthorizations(service.ctx)
  expect(await read()).toBeUndefined()
  expect(await countAuthorizations(id)).toBe(0)
})

test('a process that died before it noted the verification: loading again finds it', async () => {
  const browser = openCookieJar(service)
  const { params } = site.request()
  const first = await site.authorize(browser, params)
  if (!('id' in first)) throw new Error('There is no verification.')
  await service.ctx.db.execute(
    sql`update openid_authorizations set verification_id = null, verification_day = null where verification_id = ${first.id}`,
  )
  expect(await site.authorize(browser, params)).toEqual(first)
  expect((await site.respond(browser, first.id)).searchParams.get('code')).not.toBeNull()
})
