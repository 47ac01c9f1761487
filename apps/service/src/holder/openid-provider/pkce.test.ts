import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { callback, registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { sql } from '../../engine/db/sql.ts'
import { changeClient } from './clients/change-client.ts'
import { sweepAuthorizations } from './sweep.ts'

let service: Service
let site: Site
beforeAll(async () => {
  service = await startService()
  site = await registerSite(service, { pkce_required: false })
})
afterAll(() => service[Symbol.asyncDispose]())

const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }

async function describeRefusal(
  of: Site,
  changed: Record<string, string | undefined>,
): Promise<string | null> {
  const end = await of.authorize(openCookieJar(service), of.request(changed).params)
  return 'returned' in end ? end.returned.searchParams.get('error_description') : JSON.stringify(end)
}

test('[OIDC-5] a client with a secret that need not use PKCE sends a nonce, which comes back in the ID token', async () => {
  const { code, returned, id } = await site.obtainCode({ changed: { ...withoutPkce, nonce: 'n-1' } })
  expect(returned.searchParams.get('error')).toBeNull()
  const { status, body } = await site.exchange({ code })
  expect(status).toBe(200)
  const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ nonce: 'n-1', aud: site.client_id, verification: { id } })
})

test('[OIDC-5] without PKCE, a request without a nonce is refused, and half of PKCE too', async () => {
  expect(await describeRefusal(site, { ...withoutPkce, nonce: undefined })).toContain('nonce is missing')
  expect(await describeRefusal(site, { ...withoutPkce, nonce: '' })).toContain('nonce is missing')
  expect(await describeRefusal(site, { code_challenge: undefined })).toContain('code_challenge is missing')
  expect(await describeRefusal(site, { code_challenge_method: undefined })).toContain('must be S256')
  expect(await describeRefusal(site, { code_challenge_method: 'plain' })).toContain('must be S256')
})

test('[OIDC-5] a client without a secret always needs PKCE, whatever its row is changed to', async () => {
  const app = await registerSite(service, { authentication: 'none' })
  expect(await describeRefusal(app, withoutPkce)).toContain('code_challenge is missing')
  const by = { kind: 'operator', tenant_id: app.merchant.tenant_id } as const
  await expect(
    changeClient(service.ctx, { by, client_id: app.client_id, change: { pkce_required: false } }),
  ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('pkce_required') })
  await expect(
    service.ctx.db.execute(sql`update openid_clients set pkce_required = false where id = ${app.client_id}`),
  ).rejects.toThrow('openid_clients_pkce_check')
})

test('[OIDC-5] a challenge needs its verifier, and a verifier its challenge, also where PKCE is not required', async () => {
  const challenged = await site.obtainCode()
  for (const [form, error] of [
    [{}, 'invalid_request'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ code_verifier: 'v'.repeat(43) }, 'invalid_grant'],
  ] as const)
    expect((await site.exchange({ code: challenged.code, ...form })).body.error).toBe(error)
  expect((await site.exchange({ code: challenged.code, code_verifier: challenged.verifier })).status).toBe(
    200,
  )

  const plain = await site.obtainCode({ changed: withoutPkce })
  for (const code_verifier of [plain.verifier, ''])
    expect((await site.exchange({ code: plain.code, code_verifier })).body.error).toBe('invalid_grant')
  expect((await site.exchange({ code: plain.code })).status).toBe(200)
})

test('[OIDC-5] [OIDC-11] a code without PKCE works for its client and address, for a minute, once, also after the sweep', async () => {
  const other = await registerSite(service, { merchant: site.merchant, pkce_required: false })
  const { code, id } = await site.obtainCode({ changed: withoutPkce })
  const wrong = [
    other.exchange({ code }),
    site.exchange({ code, redirect_uri: `${callback}/` }),
    site.exchange({ code, client_secret: other.secret }),
    site.exchange({ code, client_secret: undefined }),
  ]
  for (const { status } of await Promise.all(wrong)) expect([400, 401]).toContain(status)

  const racing = await Promise.all(Array.from({ length: 20 }, () => site.exchange({ code })))
  expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
  await service.ctx.db.execute(
    sql`update openid_authorizations set ends_at = service_now() where verification_id = ${id}`,
  )
  await sweepAuthorizations(service.ctx)
  expect((await site.exchange({ code })).body.error).toBe('invalid_grant')

  const late = await site.obtainCode({ changed: withoutPkce })
  await service.ctx.db.execute(
    sql`update openid_authorizations set returned_at = returned_at - interval '61 seconds' where verification_id = ${late.id}`,
  )
  expect((await site.exchange({ code: late.code })).body.error).toBe('invalid_grant')
})

test('a member switches PKCE off and on again on the dashboard, and a code from before needs it then', async () => {
  const own = await registerSite(service)
  const owner = await signIn(service, own.merchant)
  const set = (pkce_required: boolean) =>
    owner.call('changeOpenIdClient', {
      params: { environment: 'test', id: own.client_id },
      body: { pkce_required },
    })
  expect(await describeRefusal(own, withoutPkce)).toContain('Switch PKCE on')
  expect((await set(false)).body).toMatchObject({ pkce_required: false })
  const { code } = await own.obtainCode({ changed: withoutPkce })
  expect((await set(true)).body).toMatchObject({ pkce_required: true })
  expect((await own.exchange({ code })).body.error).toBe('invalid_request')
  expect(await describeRefusal(own, withoutPkce)).toContain('code_challenge is missing')
})
