import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { buildVerifierInfo, failures } from '@vidimus/protocol'
import { createRegistrar, issueRegistration, type RegistrationDraft } from '@vidimus/sandbox'
import { sql } from '../../engine/db/sql.ts'
import { setBrand, setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'

const service = await startService()
const { ctx, anonymous } = service
const merchant = await service.tenant()
afterAll(() => service[Symbol.asyncDispose]())

const logo = `data:image/png;base64,${Buffer.alloc(60, 1).toString('base64')}`

async function create(by: Merchant = merchant, more: Record<string, unknown> = {}) {
  const { body } = await by.post('/v1/verifications', { template: 'age_over_18', ...more })
  return body as { id: string; wallet_uri: string } // of the contract
}

async function read(id: string, query = '') {
  return (await anonymous.get(`/verify/${id}/session${query}`)).body
}

async function respond(wallet_uri: string, persona: string) {
  return respondUntilAccepted(service, wallet_uri, { persona })
}

test('the verification has name, brand, purpose, requested claims and retention in words, and the name in the certificate', async () => {
  const shop = await service.tenant()
  const brand = {
    display_name: 'Harbour Wines',
    colour: '#7a1f3d',
    logo,
    privacy_url: 'https://shop.example/privacy',
  }
  await setBrand(ctx, { by: { kind: 'operator', tenant_id: shop.tenant_id }, brand })
  await setPolicies(ctx, { tenant_id: shop.tenant_id, retention_days: 7 })
  const { id, wallet_uri } = await create(shop, { purpose: 'Age check for your order' })
  const { headers, body } = await anonymous.get(`/verify/${id}/session?lang=en`)

  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toMatchObject({
    phase: 'pending',
    test: true,
    lang: 'en',
    merchant: {
      name: 'Harbour Wines',
      legal_name: 'Vidimus',
      colour: brand.colour,
      logo,
      privacy_url: brand.privacy_url,
    },
    purpose: 'Age check for your order',
    headline: 'Confirm that you are 18 or older',
    summary: 'Proof that you are 18 or older',
    retention:
      'Vidimus deletes it after 7 days. The privacy notice of Harbour Wines says how long Harbour Wines keeps it.',
    wallet_uri: wallet_uri.replace('openid4vp:', 'eu-eaap:'),
    links: ['eu-eaap', 'openid4vp', 'haip-vp'].map((name) => ({
      name,
      uri: wallet_uri.replace('openid4vp', name),
    })),
    screen_uri: expect.stringContaining(encodeURIComponent(`/wallet/request/${id}?via=screen`)),
  })
  expect(JSON.stringify(body.asks)).toContain('Proof that you are 18 or older')
  expect(Date.parse(body.expires_at) - Date.parse(body.now)).toBeGreaterThan(290_000)
  expect(body).not.toHaveProperty('return_url')
})

test('a tenant without a brand appears with its name, and one that forgets on delivery says so', async () => {
  const shop = await service.tenant()
  await setPolicies(ctx, { tenant_id: shop.tenant_id, forget_on_delivery: true })
  const verification = await read((await create(shop)).id)
  expect(verification.merchant).toEqual({ name: 'A merchant', legal_name: 'Vidimus' })
  expect(verification.retention).toBe(
    'Vidimus deletes it as soon as A merchant has received it. The privacy notice of A merchant says how long A merchant keeps it.',
  )
})

const registrar = createRegistrar({ now: new Date() })
const flowerShop = {
  name: 'Flower Shop',
  legal_name: 'Flower Shop B.V.',
  identifier: 'NTRNL-1',
  credentials: [],
}
const intermediary = { identifier: 'NTRDE-2', name: 'Another name' }

/** A verification whose request carries this registration certificate. */
async function createRegistered(token: string, encoding: 'jwt' | 'base64url' = 'base64url') {
  const { id } = await create()
  const body = JSON.stringify(buildVerifierInfo({ token }, { identifier: 'NTRNL-1' }, encoding))
  const hash = createHash('sha256').update(body).digest()
  await ctx.db.execute(
    sql`insert into verifier_infos (hash, body) values (${hash}, ${body}) on conflict do nothing`,
  )
  await ctx.db.execute(
    sql`update verification_sessions set certificate = certificate || ${hash}::bytea where id = ${id}`,
  )
  return id
}

const issue = (draft: RegistrationDraft, version: '1.1.1' | '1.2.1' = '1.2.1') =>
  issueRegistration(registrar, draft, { now: new Date(), version })

test.each([
  ['1.2.1', 'base64url'],
  ['1.2.1', 'jwt'],
  ['1.1.1', 'base64url'],
] as const)(
  'the verification names merchant and intermediary if the registration names one: V%s as %s',
  async (version, encoding) => {
    const token = issue({ ...flowerShop, intermediary }, version)
    const { merchant: named } = await read(await createRegistered(token, encoding))
    // The owner of the certificate, which the registration only repeats.
    expect(named).toEqual({ name: 'A merchant', legal_name: 'Flower Shop', intermediary: 'Vidimus' })
  },
)

test.each([
  ['the merchant asks itself', issue(flowerShop)],
  [
    'the registration was altered',
    issue({ ...flowerShop, intermediary }).replace(/[^.]+$/, (signature) =>
      signature.replace(/^./, signature.startsWith('A') ? 'B' : 'A'),
    ),
  ],
  ['the registration is no certificate', 'e30.e30.c2ln'],
])('the verification names no intermediary if %s', async (_, token) => {
  const { merchant: named } = await read(await createRegistered(token))
  expect(named).toEqual({ name: 'A merchant', legal_name: 'Vidimus' })
})

test('the page says through whom the merchant asks, and shows registered names as text', async () => {
  const id = await createRegistered(issue({ ...flowerShop, name: '<b>Flower</b> Shop', intermediary }))
  const { text } = await anonymous.get(`/verify/${id}?lang=en`)
  expect(text).toContain('<small>Through <bdi>Vidimus</bdi></small>')
  expect(text).toContain('Your wallet will show: <bdi>&lt;b&gt;Flower&lt;/b&gt; Shop</bdi>')
  expect((await anonymous.get(`/verify/${id}?lang=de`)).text).toContain('Über <bdi>Vidimus</bdi>')

  const alone = await anonymous.get(`/verify/${(await create()).id}?lang=en`)
  expect(alone.text).not.toContain('Through')
})

test('the language is that of the link, then that of the browser, then English', async () => {
  const { id } = await create()
  const lang = async (query: string, accept: string) =>
    (await anonymous.get(`/verify/${id}/session${query}`, { headers: { 'accept-language': accept } })).body
      .lang
  expect(await lang('?lang=fr', 'de')).toBe('fr')
  expect(await lang('', 'de-AT,de;q=0.9')).toBe('de')
  expect(await lang('?lang=xx', 'mt')).toBe('mt')
  expect(await lang(`?lang=${'x'.repeat(200)}`, '*')).toBe('en')
  expect(await lang('?lang=fr&lang=de', 'it')).toBe('it')
})

test('[PAGE-4] a verification is opened once a wallet has fetched its request', async () => {
  const { id } = await create()
  expect((await read(id)).phase).toBe('pending')
  await anonymous.get(`/wallet/request/${id}`)
  await waitUntil(async () => (await read(id)).phase === 'opened')
  expect(await read(id)).toHaveProperty('wallet_uri')
})

test('[PAGE-4] a completed verification offers no wallet and leads back to the merchant without a code', async () => {
  const { id, wallet_uri } = await create(merchant, { redirect_url: 'https://shop.example/done?order=1' })
  expect(await read(id)).not.toHaveProperty('return_url')
  await respond(wallet_uri, 'adult')
  const verification = await read(id)
  expect(verification).toMatchObject({ phase: 'completed', return_url: 'https://shop.example/done?order=1' })
  for (const member of [
    'wallet_uri',
    'links',
    'wallets',
    'screen_uri',
    'age_app_uri',
    'age_app_screen_uri',
    'dc_api',
  ])
    expect(verification).not.toHaveProperty(member)
})

test('[DC-9] a verification tells a page whether its origin may use the Digital Credentials API, and no other origin', async () => {
  const { id } = await create()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(ctx, { by, page_origins: ['https://shop.example'] })
  const readFrom = async (headers: Record<string, string>) => {
    const { body } = await anonymous.request('GET', `/verify/${id}/session`, { headers })
    expect(JSON.stringify(body)).not.toContain('shop.example')
    return body.dc_api
  }

  expect(await readFrom({})).toBe(true)
  expect(await readFrom({ origin: 'https://shop.example' })).toBe(true)
  expect(await readFrom({ origin: 'https://other.example' })).toBeUndefined()
  expect(await readFrom({ origin: 'null' })).toBeUndefined()
})

test('a verification has the links that its tenant has set, in their order, and each of them works', async () => {
  const shop = await service.tenant()
  const wallet_links = ['https://wallet.example/-/open', 'haip-vp', 'eu-eaap']
  await setHolderPage(ctx, { by: { kind: 'operator', tenant_id: shop.tenant_id }, wallet_links })
  const ends = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const created = await create(shop)
      expect(created.wallet_uri).toMatch(/^openid4vp:/)
      const { links, wallet_uri } = await read(created.id)
      expect(wallet_uri).toBe(links[0].uri)
      await respond(links[index].uri, 'adult')
      return [links[index].name, links[index].uri.split('?')[0], (await read(created.id)).phase]
    }),
  )
  expect(ends).toEqual([
    ['wallet.example', 'https://wallet.example/-/open', 'completed'],
    ['haip-vp', 'haip-vp://', 'completed'],
    ['eu-eaap', 'eu-eaap://', 'completed'],
  ])
})

test('[DC-12] a verification offers the age app only if the tenant accepts it and the query requests its proof', async () => {
  const shop = await service.tenant()
  const [age, identity] = [await create(shop), await create(shop, { template: 'identity_basic' })]
  expect(await read(age.id)).not.toHaveProperty('age_app_uri')

  await setHolderPage(ctx, { by: { kind: 'operator', tenant_id: shop.tenant_id }, age_app: true })

  expect((await read(age.id)).age_app_uri).toMatch(/^av:\/\//)
  expect(await read(identity.id)).not.toHaveProperty('age_app_uri')
})

test('[PAGE-4] an unknown failure in a stored row is not accepted, and every known one is one of three outcomes', async () => {
  const { id } = await create()
  const fail = (code: string) =>
    ctx.db.execute(sql`
      update verification_sessions
      set status = 'failed', responded_at = service_now(), seed = null, error = ${{ code, message: 'x' }}
      where id = ${id}`)
  const outcomes: Record<string, string> = {}
  for (const code of [...Object.keys(failures), 'of_a_later_version', 'constructor']) {
    await fail(code)
    outcomes[code] = (await read(id)).phase
  }
  expect(outcomes).toEqual({
    holder_declined: 'declined',
    wallet_error: 'try_again',
    credential_malformed: 'try_again',
    holder_binding_invalid: 'try_again',
    status_unavailable: 'try_again',
    signature_invalid: 'not_accepted',
    issuer_untrusted: 'not_accepted',
    credential_expired: 'not_accepted',
    credential_revoked: 'not_accepted',
    query_not_satisfied: 'not_accepted',
    requirement_not_met: 'not_accepted',
    of_a_later_version: 'not_accepted',
    constructor: 'not_accepted',
  })
})

test('a verification expires by the clock, without a worker', async () => {
  await using late = await startService()
  const shop = await late.tenant()
  const { id } = await create(shop, { redirect_url: 'https://shop.example/' })
  await setClockOffset(late.ctx.db, '6 minutes')
  const { body } = await late.anonymous.get(`/verify/${id}/session`)
  expect(body).toMatchObject({ phase: 'expired', return_url: 'https://shop.example/' })
  expect(body).not.toHaveProperty('wallet_uri')
})

test('[PAGE-5] [RET-2] with hold_back there is no QR code, and no outcome is shown before the code is redeemed', async () => {
  const shop = await service.tenant()
  await setPolicies(ctx, { tenant_id: shop.tenant_id, hold_back: true })
  const seen: unknown[] = []
  for (const persona of ['adult', 'minor', 'declines']) {
    const { id, wallet_uri } = await create(shop, { redirect_url: 'https://shop.example/' })
    expect(await read(id)).not.toHaveProperty('screen_uri')
    const { redirect_uri = '' } = await respond(wallet_uri, persona)
    const { now: _, expires_at: __, ...verification } = await read(id)
    seen.push(verification)
    const response_code = redirect_uri.split('response_code=')[1]
    await shop.post(`/v1/verifications/${id}/redeem`, { response_code })
    expect((await read(id)).phase).toBe(
      { adult: 'completed', minor: 'not_accepted', declines: 'declined' }[persona],
    )
  }
  expect(seen[0]).toMatchObject({ phase: 'opened' })
  expect(seen[0]).not.toHaveProperty('wallet_uri')
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
})

test('[PAGE-5] with hold_back, a verification without a redirect keeps its QR code: nothing is held back', async () => {
  const shop = await service.tenant()
  await setPolicies(ctx, { tenant_id: shop.tenant_id, hold_back: true })
  expect(await read((await create(shop)).id)).toHaveProperty('screen_uri')
})

test('unknown, malformed and erased ids get the same 404', async () => {
  const { id } = await create()
  await merchant.delete(`/v1/verifications/${id}`)
  const unknown = `${id.slice(0, -6)}AAAAAA`
  const responses = await Promise.all(
    [id, unknown, 'vs_', 'x'.repeat(500), '%zz', encodeURIComponent('<script>')].map(async (each) => {
      const { status, text } = await anonymous.get(`/verify/${each}/session`)
      return { status, text }
    }),
  )
  expect(responses[0]).toMatchObject({ status: 404, text: expect.stringContaining('session_not_found') })
  for (const response of responses) expect(response).toEqual(responses[0])
})
