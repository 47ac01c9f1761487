import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { registerSite } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { sweepAuthorizations } from './sweep.ts'

let services: [Service, Service]
beforeAll(async () => {
  const first = await startService()
  // A second process of the same installation.
  const database = { url: first.database_url, [Symbol.asyncDispose]: () => Promise.resolve() }
  services = [first, await startService({ database })]
})
afterAll(async () => {
  await services[1][Symbol.asyncDispose]()
  await services[0][Symbol.asyncDispose]()
})

test('[OIDC-11] of 1,000 racing exchanges of a code, over two processes, exactly one gets tokens', async () => {
  const [first, second] = services
  const site = await registerSite(first)
  const { id, code, verifier } = await site.obtainCode()
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    redirect_uri: 'https://shop.example/callback',
    client_id: site.client_id,
    client_secret: site.secret ?? '',
    code,
    code_verifier: verifier,
  })
  const urls = [first, second].map(
    ({ address, ctx }) => `${site.issuer.replace(ctx.config.BASE_URL, address)}/token`,
  )
  const results = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const response = await fetch(urls[index % 2] ?? '', { method: 'POST', body: form })
      return {
        status: response.status,
        body: (await response.json()) as { error?: string; access_token: string },
      }
    }),
  )
  const winners = results.filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  const others = results.filter(({ status }) => status !== 200)
  expect(new Set(others.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
    new Set(['400 invalid_grant']),
  )
  const entries = await first.ctx.db.query<{ count: number }>(redeemed(id))
  expect(entries).toEqual([{ count: 1 }])
  // The code was used again, so whoever has the tokens may have stolen them.
  expect((await site.userinfo(winners[0]?.body.access_token ?? '')).status).toBe(401)
})

test('[OIDC-11] a code is worth nothing a minute after the return, nor a request twenty minutes after its start', async () => {
  const [service] = services
  const site = await registerSite(service)
  const late = await site.obtainCode()
  await service.ctx.db.execute(
    sql`update openid_authorizations set returned_at = returned_at - interval '61 seconds' where verification_id = ${late.id}`,
  )
  expect((await site.exchange({ code: late.code, code_verifier: late.verifier })).body.error).toBe(
    'invalid_grant',
  )

  const browser = openCookieJar(service)
  const end = await site.authorize(browser, site.request().params)
  if (!('id' in end)) throw new Error('There is no verification.')
  await service.ctx.db.execute(
    sql`update openid_authorizations set ends_at = service_now() where verification_id = ${end.id}`,
  )
  await expect(site.respond(browser, end.id)).rejects.toThrow('did not return')
})

test.each(['redirect', 'screen'] as const)(
  '[OIDC-11] after the exchange the same request begins another verification, and its code never comes back: %s',
  async (channel) => {
    const [service] = services
    const site = await registerSite(service)
    const browser = openCookieJar(service)
    const { params, verifier } = site.request()
    const begin = async () => {
      const end = await site.authorize(browser, params)
      if (!('id' in end)) throw new Error(`There is no verification: ${JSON.stringify(end)}`)
      return end.id
    }
    const exchange = (code: string | null) => site.exchange({ code: code ?? '', code_verifier: verifier })
    const ids: string[] = []
    const codes: (string | null)[] = []
    // At once, after five minutes, and after the sweep.
    for (const wait of [
      () => Promise.resolve(),
      () =>
        service.ctx.db.execute(
          sql`update openid_authorizations set ends_at = service_now() where verification_id = ${ids.at(-1) ?? ''}`,
        ),
      () => sweepAuthorizations(service.ctx),
    ]) {
      const id = await begin()
      // A reload of what is under way creates nothing.
      expect(await begin()).toBe(id)
      ids.push(id)
      const returned = await site.respond(browser, id, { channel })
      expect(await begin()).toBe(id)
      codes.push(returned.searchParams.get('code'))
      expect((await exchange(codes.at(-1) ?? null)).status).toBe(200)
      // The Back button leads to a page, which says that it is over or goes on in the tab that the wallet opened, and to no code.
      const back = await browser.open(await browser.readReturnUrl(id))
      expect(back).toMatchObject({ status: channel === 'screen' ? 400 : 200, page: expect.any(String) })
      await wait()
    }
    expect(await begin()).not.toBe(ids.at(-1))
    expect([new Set(ids).size, new Set(codes).size]).toEqual([3, 3])
    for (const code of codes) expect((await exchange(code)).body.error).toBe('invalid_grant')
  },
)

test('a code that was not exchanged in time does not come back either', async () => {
  const [service] = services
  const site = await registerSite(service)
  const browser = openCookieJar(service)
  const { params } = site.request()
  const first = await site.authorize(browser, params)
  if (!('id' in first)) throw new Error('There is no verification.')
  await site.respond(browser, first.id)
  await service.ctx.db.execute(
    sql`update openid_authorizations set returned_at = returned_at - interval '61 seconds' where verification_id = ${first.id}`,
  )
  expect(await site.authorize(browser, params)).toEqual({ id: expect.not.stringMatching(first.id) })
})

test.each([{ prompt: 'login' }, { max_age: '0' }])(
  'a request for a new sign-in gets no answer from before: %o',
  async (changed) => {
    const [service] = services
    const site = await registerSite(service)
    const browser = openCookieJar(service)
    const { params } = site.request(changed)
    const first = await site.authorize(browser, params)
    if (!('id' in first)) throw new Error('There is no verification.')
    expect(await site.authorize(browser, params)).toEqual(first)
    await site.respond(browser, first.id)
    const racing = await Promise.all(Array.from({ length: 10 }, () => site.authorize(browser, params)))
    const ids = new Set(racing.map((end) => ('id' in end ? end.id : JSON.stringify(end))))
    expect([ids.size, ids.has(first.id)]).toEqual([1, false])
  },
)

test('userinfo answers for five minutes after the exchange', async () => {
  const [service] = services
  const site = await registerSite(service)
  const { id, code, verifier } = await site.obtainCode()
  const { body } = await site.exchange({ code, code_verifier: verifier })
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'openid vidimus:age_over_18' })
  expect((await site.userinfo(body.access_token)).status).toBe(200)
  expect((await site.userinfo(body.access_token, { method: 'POST' })).status).toBe(200)
  for (const wrong of [code, `${body.access_token}x`, 'x']) {
    const refused = await site.userinfo(wrong)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ])
  }
  await service.ctx.db.execute(
    sql`update openid_authorizations set ends_at = ends_at - interval '5 minutes' where verification_id = ${id}`,
  )
  expect((await site.userinfo(body.access_token)).status).toBe(401)
})

function redeemed(id: string) {
  return sql`
    select count(*)::integer as count from audit_inbox where subject = ${id} and action = 'verification.redeemed'`
}
