import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages, listLanguages, texts } from '@vidimus/holder-texts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { type Merchant, type Service, startService } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { setTenantState } from '../../accounts/tenants/state.ts'
import { confirmationCode } from '../../engine/basics/index.ts'
import { findHolderVerification } from '../../verifications/index.ts'
import { walletUri } from '../../verifications/wallet/uris.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newLink(merchant: Merchant, more: object = {}) {
  const body = { name: 'Tasting', template: 'age_over_18', purpose: 'Age check for the tasting', ...more }
  const created = await merchant.post('/v1/verification_links', body)
  expect(created.status).toBe(201)
  const path = new URL(created.body.url).pathname
  return { ...created.body, path }
}

const open = (path: string, headers: Record<string, string> = {}) =>
  service.anonymous.request('POST', path, { headers: { accept: 'text/html', ...headers } })
const idOf = (location: string | null) => /^\/verify\/(vs_[\w-]{31})/.exec(location ?? '')?.[1] ?? ''
const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

async function visit(path: string): Promise<string> {
  const opened = await open(path)
  expect(opened.status).toBe(303)
  return idOf(opened.headers.get('location'))
}

async function respond(id: string, persona = 'adult') {
  const { ctx, address } = service
  const verification = await findHolderVerification(ctx, id)
  if (verification === undefined) throw new Error('there is no such verification')
  const wallet = await openWallet(ctx, address, { persona })
  const responded = await wallet.respond(walletUri(ctx.config.BASE_URL, verification))
  return responded.sent ? responded.http_status : 0
}

const read = async (merchant: Merchant, id: string) => (await merchant.get(`/v1/verifications/${id}`)).body
const usedToday = async (merchant: Merchant) => (await merchant.get('/v1/usage')).body.verifications_created

test('[LINK-1] a link shows who asks and why, and a visit leads to a verification with its purpose and metadata', async () => {
  const merchant = await service.tenant()
  const link = await newLink(merchant, {
    metadata: { campaign: 'autumn' },
    redirect_url: 'https://shop.example/thanks',
  })
  const shown = await service.anonymous.get(`${link.path}?ref=poster`)
  expect(shown.status).toBe(200)
  expect(shown.text).toContain('Age check for the tasting')
  expect(shown.text).toContain('A merchant')
  expect(shown.headers.get('set-cookie')).toBeNull()
  expect(shown.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(shown.text).not.toContain('<script')

  const opened = await open(
    `${link.path}?ref=poster&redirect_url=https://evil.example&template=identity_basic`,
  )
  expect(opened.status).toBe(303)
  const id = idOf(opened.headers.get('location'))
  expect(await read(merchant, id)).toMatchObject({
    status: 'pending',
    template: 'age_over_18',
    purpose: 'Age check for the tasting',
    redirect_url: 'https://shop.example/thanks',
    metadata: { campaign: 'autumn', link_id: link.id, link_ref: 'poster' },
  })
  expect(await respond(id)).toBe(200)
  expect((await read(merchant, id)).status).toBe('completed')
  const page = await service.anonymous.get(`/verify/${id}`)
  expect(page.text).toContain(confirmationCode(id))
})

test('[LINK-2] 1,000 prefetches of scanners, messengers and browsers create nothing and charge nothing', async () => {
  const merchant = await service.tenant()
  const link = await newLink(merchant, { single_use: true })
  const agents = [
    'WhatsApp/2.23.20.0 A',
    'facebookexternalhit/1.1',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Microsoft-SafeLinks)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  ]
  for (let round = 0; round < 50; round += 1)
    await Promise.all(
      Array.from({ length: 20 }, async (_, place) => {
        const headers = {
          'user-agent': agents[place % agents.length] ?? '',
          ...(place % 3 === 0 && { 'sec-purpose': 'prefetch;prerender' }),
        }
        const { status } = await service.anonymous.request(place % 2 === 0 ? 'GET' : 'HEAD', link.path, {
          headers,
        })
        expect(status).toBe(200)
      }),
    )
  expect(await usedToday(merchant)).toBe(0)
  expect((await merchant.get('/v1/verifications')).body.data).toEqual([])
  const now = (await merchant.get(`/v1/verification_links/${link.id}`)).body
  expect([now.created_today, now.state]).toEqual([0, 'active'])
  await visit(link.path)
  expect(await usedToday(merchant)).toBe(1)
})

test('a link of a suspended account creates nothing and says that it is not valid, until the account is resumed', async () => {
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const link = await newLink(merchant)
  const operator = { name: 'ada', reason: 'Not paid.' }
  await setTenantState(service.ctx, { tenant_id, state: 'suspended', operator })

  const refused = await open(link.path)

  expect(refused.status).toBe(410)
  expect(refused.text).toContain(texts('en').page.link_ended_title)
  expect(refused.text).not.toContain('Not paid.')
  expect(await usedToday(merchant)).toBe(0)
  await setTenantState(service.ctx, { tenant_id, state: 'active', operator })
  await visit(link.path)
  expect(await usedToday(merchant)).toBe(1)
})

test('[LINK-3] of two that complete a single-use link at the same time one counts, and the other is told, 100 times', async () => {
  const merchant = await service.tenant({ daily_quota: 10_000 })
  const outcomes = []
  for (let race = 0; race < 100; race += 1) {
    const link = await newLink(merchant, { single_use: true })
    const ids = [await visit(link.path), await visit(link.path)]
    const statuses = await Promise.all(ids.map((id) => respond(id)))
    const verifications = await Promise.all(ids.map((id) => read(merchant, id)))
    const told = await Promise.all(ids.map((id) => service.anonymous.get(`/verify/${id}`)))
    const late = verifications.findIndex(({ status }) => status !== 'completed')
    outcomes.push({
      completed: verifications.filter(({ status }) => status === 'completed').length,
      accepted: statuses.filter((status) => status === 200).length,
      other: verifications[late]?.status,
      claims: verifications[late]?.claims,
      told: told[late]?.text.includes(texts('en').component.used_title),
      next: (await open(link.path)).status,
      state: (await merchant.get(`/v1/verification_links/${link.id}`)).body.state,
    })
  }
  expect(outcomes).toEqual(
    Array.from({ length: 100 }, () => ({
      completed: 1,
      accepted: 1,
      other: 'expired',
      claims: undefined,
      told: true,
      next: 410,
      state: 'used',
    })),
  )
})

test('a link of one person is not used up by opening it, nor by a response that fails', async () => {
  const merchant = await service.tenant()
  const link = await newLink(merchant, { single_use: true })
  await visit(link.path)
  const failed = await visit(link.path)
  await respond(failed, 'minor')
  expect((await read(merchant, failed)).status).toBe('failed')
  const id = await visit(link.path)
  expect(await respond(id)).toBe(200)
  const used = await service.anonymous.get(link.path)
  expect(used.status).toBe(410)
  expect(used.text).toContain(texts('en').component.used_title)
  // Another link of the tenant is another use.
  await visit((await newLink(merchant, { single_use: true })).path)
})

test('[LINK-4] a link creates exactly its daily limit under 200 visits at the same time, and again on the next day', async () => {
  const merchant = await service.tenant({ daily_quota: 10_000 })
  const link = await newLink(merchant, { daily_limit: 37 })
  const opened = await Promise.all(Array.from({ length: 200 }, () => open(link.path)))
  expect(opened.filter(({ status }) => status === 303)).toHaveLength(37)
  expect(opened.filter(({ status }) => status === 429)).toHaveLength(163)
  expect(await usedToday(merchant)).toBe(37)
  expect((await service.anonymous.get(link.path)).text).toContain(texts('en').page.link_full_title)
  const other = await newLink(merchant)
  await visit(other.path)
  await using tomorrow = await startService()
  const later = await tomorrow.tenant()
  const again = new URL(
    (await later.post('/v1/verification_links', { name: 'a', template: 'age_over_18', daily_limit: 1 })).body
      .url,
  ).pathname
  expect((await tomorrow.anonymous.request('POST', again)).status).toBe(303)
  expect((await tomorrow.anonymous.request('POST', again)).status).toBe(429)
  await setClockOffset(tomorrow.ctx.db, '1 day')
  expect((await tomorrow.anonymous.request('POST', again)).status).toBe(303)
})

test('[LINK-5] one address gets ten visits a minute and a quarter of the daily limit, and other links and addresses go on', async () => {
  await using limited = await startService({
    environment: { RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60', TRUSTED_PROXIES: '127.0.0.1' },
  })
  const merchant = await limited.tenant()
  const make = async () =>
    new URL((await merchant.post('/v1/verification_links', { name: 'a', template: 'age_over_18' })).body.url)
      .pathname
  const [path, sibling] = [await make(), await make()]
  const from = async (address: string, target = path) =>
    (await limited.anonymous.request('POST', target, { headers: { 'x-forwarded-for': address } })).status
  const count = async (address: string) => {
    const statuses = []
    for (let attempt = 0; attempt < 15; attempt += 1) statuses.push(await from(address))
    return statuses.filter((status) => status === 303).length
  }
  expect(await count('203.0.113.7')).toBe(10)
  expect(await count('203.0.113.8')).toBe(10)
  // A whole /64 is one address.
  expect((await count('2001:db8:0:1::1')) + (await count('2001:db8:0:1:ffff::2'))).toBe(10)
  expect(await from('203.0.113.7', sibling)).toBe(303)
})

test('[LINK-6] a visit goes on where this browser left it, unless that has ended or was of another link', async () => {
  const merchant = await service.tenant()
  const [link, other] = [await newLink(merchant), await newLink(merchant)]
  const first = await open(link.path)
  const cookie = cookieOf(first.headers)
  expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax; Max-Age=900/)
  const id = idOf(first.headers.get('location'))
  const again = async (path: string) => idOf((await open(path, { cookie })).headers.get('location'))
  expect(await again(link.path)).toBe(id)
  expect(await again(other.path)).not.toBe(id)
  expect(await usedToday(merchant)).toBe(2)
  await respond(id)
  expect(await again(link.path)).not.toBe(id)
})

test('a page of another site cannot spend visits through the browsers of its visitors', async () => {
  const merchant = await service.tenant()
  const link = await newLink(merchant)
  const opened = await open(`${link.path}?ref=x`, { 'sec-fetch-site': 'cross-site' })
  expect([opened.status, opened.headers.get('location')]).toEqual([303, `${link.path}?ref=x`])
  expect(await usedToday(merchant)).toBe(0)
})

test('what has ended says so with 410, and what is unknown or deleted reads the same', async () => {
  const merchant = await service.tenant()
  const [inactive, expired, deleted] = [
    await newLink(merchant),
    await newLink(merchant),
    await newLink(merchant),
  ]
  await merchant.patch(`/v1/verification_links/${inactive.id}`, { active: false })
  await merchant.patch(`/v1/verification_links/${expired.id}`, { expires_at: '2020-01-01T00:00:00Z' })
  await merchant.delete(`/v1/verification_links/${deleted.id}`)
  for (const method of ['GET', 'POST'])
    for (const { path } of [inactive, expired]) {
      const { status, text } = await service.anonymous.request(method, path)
      expect([method, status]).toEqual([method, 410])
      expect(text).toContain(texts('en').page.link_ended_title)
    }
  const unknown = `${deleted.path.slice(0, -4)}AAAA`
  const pages = await Promise.all(
    [deleted.path, unknown, '/v/x', `/v/${'a'.repeat(500)}`, '/v/%00', "/v/'or1=1"].map((path) =>
      service.anonymous.get(path),
    ),
  )
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]))
  expect(pages[1]?.text).toBe(pages[0]?.text)
  expect(pages[0]?.text).not.toContain('A merchant')
  await merchant.patch(`/v1/verification_links/${inactive.id}`, { active: true })
  await visit(inactive.path)
})

test('a tenant without quota refuses the visit with a page and counts nothing against the link', async () => {
  const merchant = await service.tenant({ daily_quota: 1 })
  const link = await newLink(merchant)
  await visit(link.path)
  const full = await open(link.path)
  expect(full.status).toBe(429)
  expect(full.text).toContain(texts('en').page.link_full_title)
  expect((await merchant.get(`/v1/verification_links/${link.id}`)).body.created_today).toBe(1)
})

test('ref is bounded, and what is not a text is left out', async () => {
  const merchant = await service.tenant()
  const link = await newLink(merchant)
  for (const ref of ['x'.repeat(101), '%00', '', 'a&ref=b']) {
    const id = await visit(`${link.path}?ref=${ref}`)
    expect((await read(merchant, id)).metadata).toEqual({ link_id: link.id })
  }
})

test('the page is in every language, and its links keep what the address had', async () => {
  const merchant = await service.tenant()
  const link = await newLink(merchant)
  for (const language of listLanguages()) {
    const { text } = await service.anonymous.get(`${link.path}?lang=${language}&ref=poster`)
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(texts(language).page.link_start)
  }
  expect(Object.keys(languages)).toHaveLength(24)
  const { text } = await service.anonymous.get(`${link.path}?ref=poster`)
  expect(text).toContain('href="?ref=poster&amp;lang=de"')
})
