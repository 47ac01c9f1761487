import { expect, test } from 'vitest'
import { openCookieJar } from '../../../../test/openid/cookie-jar.ts'
import { registerSite } from '../../../../test/openid/site.ts'
import { startService } from '../../../../test/service.ts'
import { defaultRateLimits } from '../../../engine/config/config-values.ts'

test('one address starts at most 30 verifications a minute at a tenant with a small quota, and its visits to others go on', async () => {
  await using limited = await startService({
    environment: { RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60' },
  })
  const shop = await registerSite(limited, { merchant: await limited.tenant({ daily_quota: 900 }) })
  const browser = openCookieJar(limited)
  const ends = []
  for (let count = 0; count <= 30; count += 1) ends.push(await shop.authorize(browser, shop.request().params))
  expect(ends.slice(0, 30).filter((end) => 'id' in end)).toHaveLength(30)
  const last = ends[30]
  expect(last !== undefined && 'returned' in last && last.returned.searchParams.get('error')).toBe(
    'temporarily_unavailable',
  )
  // A second client does not help, and another tenant is another count.
  const { merchant } = shop
  const sibling = await registerSite(limited, { merchant })
  const end = await sibling.authorize(browser, sibling.request().params)
  expect('returned' in end && end.returned.searchParams.get('error')).toBe('temporarily_unavailable')
  const other = await registerSite(limited)
  expect(await other.authorize(browser, other.request().params)).toHaveProperty('id')
})

test('a crowd behind one address verifies: a thirtieth of the daily quota in a minute, up to what the operator allows', async () => {
  await using crowded = await startService({
    environment: { RATE_LIMITS: 'key=6000/60,ip=30000/60,session=600/60,authorization=70/60' },
  })
  const venue = await registerSite(crowded, { merchant: await crowded.tenant({ daily_quota: 1800 }) })
  const arena = await registerSite(crowded, { merchant: await crowded.tenant({ daily_quota: 100_000 }) })
  for (const [visited, allowed] of [
    [venue, 60],
    [arena, 70],
  ] as const) {
    const ends = []
    for (let count = 0; count < allowed + 5; count += 1)
      ends.push(await visited.authorize(openCookieJar(crowded), visited.request().params))
    expect(ends.filter((end) => 'id' in end)).toHaveLength(allowed)
    expect(ends.slice(0, allowed).every((end) => 'id' in end)).toBe(true)
  }
})

test('a whole visit takes at most 15 requests of its address, so the defaults are enough for a crowd twice over', async () => {
  const { ip, authorization } = defaultRateLimits
  await using counted = await startService({
    environment: { RATE_LIMITS: 'key=6000/60,ip=30000/60,session=600/60' },
  })
  const shop = await registerSite(counted)
  const left = async () => {
    const { headers } = await counted.anonymous.get('/v1/verifications/vs_none/status')
    return Number(/"ip";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await left()
  // What the browser loads besides: the page, its script, style, language and session, and the stream of its phase.
  const loaded = 6
  await shop.obtainCode()
  const requests = before - (await left()) - 1 + loaded
  expect(requests).toBeGreaterThan(loaded + 4)
  expect(requests).toBeLessThanOrEqual(15)
  expect(ip.requests / 15).toBeGreaterThanOrEqual(2 * authorization.requests)
})

test('all addresses of one IPv6 /64 together start at most 30 verifications a minute', async () => {
  await using limited = await startService({
    environment: {
      RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60',
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
  })
  const shop = await registerSite(limited, { merchant: await limited.tenant({ daily_quota: 900 }) })
  const browser = openCookieJar(limited)
  await shop.authorize(browser, shop.request().params)
  const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ')
  const authorizeFrom = async (address: string) => {
    const url = `${shop.issuer.replace(limited.ctx.config.BASE_URL, limited.address)}/authorize`
    const { headers } = await fetch(`${url}?${shop.request().params.toString()}`, {
      headers: { cookie, 'x-forwarded-for': address },
      redirect: 'manual',
    })
    return /\/verify\/|error=\w+/.exec(headers.get('location') ?? '')?.[0]
  }
  const ends = []
  for (let host = 1; host <= 120; host += 1)
    ends.push(await authorizeFrom(`2001:db8:9:9::${host.toString(16)}`))
  expect(ends.filter((end) => end === '/verify/')).toHaveLength(30)
  expect(ends.filter((end) => end === 'error=temporarily_unavailable')).toHaveLength(90)
  expect(await authorizeFrom('2001:db8:9:a::1')).toBe('/verify/')
})
