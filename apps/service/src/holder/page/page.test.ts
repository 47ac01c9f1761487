import { languages } from '@vidimus/holder-texts'
import { afterAll, expect, test } from 'vitest'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { setBrand } from '../../accounts/tenants/holder-page.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'

const service = await startService()
const { ctx, anonymous } = service
const merchant = await service.tenant()
afterAll(() => service[Symbol.asyncDispose]())

async function create(by: Merchant, more: Record<string, unknown> = {}) {
  const { body } = await by.post('/v1/verifications', { template: 'age_over_18', ...more })
  return body as { id: string; wallet_uri: string } // of the contract
}

const refresh = '<noscript><meta http-equiv="refresh" content="5"></noscript>'

test('the page shows merchant, certificate, purpose, claims, retention and privacy link', async () => {
  const shop = await service.tenant()
  const by = { kind: 'operator', tenant_id: shop.tenant_id } as const
  const brand = {
    display_name: 'Harbour Wines',
    colour: '#7a1f3d',
    logo: 'data:image/png;base64,iVBORw0KGgo=',
    privacy_url: 'https://shop.example/privacy?a=1&b=2',
  }
  await setBrand(ctx, { by, brand })
  const { id } = await create(shop, { purpose: 'Age check for your order' })
  const { status, headers, text } = await anonymous.get(`/verify/${id}`)

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('<html lang="en">')
  for (const shown of [
    'Harbour Wines',
    '<h1>Confirm that you are 18 or older</h1>',
    'Your wallet will show: <bdi>Vidimus</bdi>',
    'Age check for your order',
    'Proof that you are 18 or older',
    'The privacy notice of Harbour Wines says how long Harbour Wines keeps it.',
    '<b translate="no">Vidimus</b> checks this for Harbour Wines.',
    'src="data:image/png;base64,iVBORw0KGgo="',
    'href="https://shop.example/privacy?a=1&amp;b=2"',
    'Only test documents work here',
  ])
    expect(text).toContain(shown)
})

test('without script there are a link, a QR code and a refresh while the verification is open', async () => {
  const { id, wallet_uri } = await create(merchant, { purpose: 'Age check' })
  const { text } = await anonymous.get(`/verify/${id}`)
  const uri = (link: string) => wallet_uri.replace('openid4vp', link).replaceAll('&', '&amp;')
  expect(text).toContain(
    `<a class="button primary" href="${uri('eu-eaap')}" rel="noreferrer">Continue with your wallet</a>`,
  )
  for (const [link, name] of [
    ['openid4vp', 'Another wallet (openid4vp)'],
    ['haip-vp', 'Another wallet (haip-vp)'],
    ['eu-eaap', 'NL Wallet'],
  ] as const)
    expect(text).toContain(`<a class="row" href="${uri(link)}"><span>${name}</span></a>`)
  expect(text).toContain('A digital identity wallet is an app on your phone')
  expect(text).toContain(
    '<a class="row" href="https://apps.apple.com/app/id1294092994" target="_blank" rel="noopener noreferrer"><span>Yivi (App Store)</span></a>',
  )
  expect(text).toMatch(/<svg class="qr" role="img" aria-label="QR code for A merchant: Age check"/)
  expect(text).toContain(refresh)

  await respondUntilAccepted(service, wallet_uri)
  const done = await anonymous.get(`/verify/${id}`)
  expect(done.text).toContain('<h1>Done</h1>')
  expect(done.text).toContain('<h2>What was shared</h2>')
  expect(done.text).not.toContain(refresh)
  expect(done.text).not.toMatch(/class="qr"|openid4vp:|eu-eaap:/)
})

test('the page takes less than two and a half times the CPU time of its verification, although it has a QR code', async () => {
  const { id } = await create(merchant)
  const measure = async (path: string) => {
    const before = process.cpuUsage()
    for (let count = 0; count < 30; count += 1) await anonymous.get(path)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const ratios: number[] = []
  for (let round = 0; round < 3; round += 1)
    ratios.push((await measure(`/verify/${id}`)) / (await measure(`/verify/${id}/session`)))
  expect(Math.min(...ratios)).toBeLessThan(2.5)
})

test('[PAGE-4] [PAGE-5] each outcome has its own text and leads back to the merchant without a code', async () => {
  for (const [persona, title] of [
    ['adult', 'Done'],
    ['minor', 'Your document could not be accepted'],
    ['declines', 'Nothing was shared'],
  ] as const) {
    const { id, wallet_uri } = await create(merchant, { redirect_url: 'https://shop.example/back?a=1&b=2' })
    await respondUntilAccepted(service, wallet_uri, { persona })
    const { text } = await anonymous.get(`/verify/${id}`)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toContain('href="https://shop.example/back?a=1&amp;b=2"')
    expect(text).not.toContain('response_code')
  }
})

test('[PAGE-5] with hold_back the page has no QR code', async () => {
  const shop = await service.tenant()
  await setPolicies(ctx, { tenant_id: shop.tenant_id, hold_back: true })
  const { id } = await create(shop, { redirect_url: 'https://shop.example/' })
  const { text } = await anonymous.get(`/verify/${id}`)
  expect(text).not.toContain('class="qr"')
  expect(text).toContain('eu-eaap:')
})

test('a response that may be repeated, and the merchant’s other way, are on the page without script too', async () => {
  const alternative_url = 'https://shop.example/other?a=1&b=2'
  const { id, wallet_uri } = await create(merchant, { max_attempts: 2, alternative_url })
  await respondUntilAccepted(service, wallet_uri, { persona: 'expired' })
  const { text } = await anonymous.get(`/verify/${id}`)
  expect(text).toContain('<h1>Your document could not be accepted</h1><p class="soft">It has expired.</p>')
  expect(text).toContain('Continue with your wallet</a>')
  expect(text).toContain('href="https://shop.example/other?a=1&amp;b=2"')
})

test('unknown, malformed and erased ids get the same page with status 404', async () => {
  const { id } = await create(merchant)
  await merchant.delete(`/v1/verifications/${id}`)
  const ids = [
    id,
    `${id.slice(0, -6)}AAAAAA`,
    'vs_',
    'x'.repeat(600),
    '%zz',
    '%00',
    encodeURIComponent('"><script>alert(1)</script>'),
    'assets',
    'languages',
  ]
  const pages = await Promise.all(
    ids.map(async (each) => {
      const { status, headers, text } = await anonymous.get(`/verify/${each}`)
      const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
      return { status, text, headers: Object.fromEntries(kept) }
    }),
  )
  expect(pages[0]).toMatchObject({
    status: 404,
    text: expect.stringContaining('<h1>This page is not available</h1>'),
  })
  for (const page of pages) expect(page).toEqual(pages[0])
})

test('the page is in the requested language and links to all 24, without script and without the id', async () => {
  const { id } = await create(merchant)
  const { text } = await anonymous.get(`/verify/${id}?lang=de`, { headers: { 'accept-language': 'fr' } })
  expect(text).toContain('<html lang="de">')
  const links = [...text.matchAll(/<a href="\?lang=(\w\w)" hreflang="\1" lang="\1"/g)].map(([, code]) => code)
  expect(links).toEqual(Object.keys(languages))
  expect(links).toHaveLength(24)
  expect((await anonymous.get('/verify/x?lang=it')).text).toContain('<html lang="it">')
})

test('without script a form cancels and leads back to the page, in its language', async () => {
  const redirect_url = 'https://shop.example/back'
  const { id } = await create(merchant, { redirect_url })
  const page = await anonymous.get(`/verify/${id}?lang=de`)
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? []
  expect(action).toBe(`/verify/${id}/cancel?lang=de`)
  const submit = () =>
    anonymous.request('POST', action, {
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'null',
      },
      raw: '',
    })
  for (const { status, headers } of [await submit(), await submit()])
    expect([status, headers.get('location')]).toEqual([303, `/verify/${id}?lang=de`])
  const { text } = await anonymous.get(`/verify/${id}?lang=de`)
  expect(text).toContain('<h1>Abgebrochen</h1>')
  expect(text).toContain(`href="${redirect_url}"`)
  expect(text).not.toContain('<form')
})

test('a form that comes after the response of a wallet leads to the outcome, and one without a verification to an error', async () => {
  const { id, wallet_uri } = await create(merchant)
  await respondUntilAccepted(service, wallet_uri)
  const submit = (path: string, accept: string) => anonymous.request('POST', path, { headers: { accept } })

  expect((await submit(`/verify/${id}/cancel`, 'text/html')).headers.get('location')).toBe(`/verify/${id}`)
  expect((await merchant.get(`/v1/verifications/${id}`)).body.status).toBe('completed')
  expect((await submit(`/verify/${id}/cancel`, '*/*')).status).toBe(409)
  const unknown = await submit('/verify/vs_"><b>/cancel', 'text/html')
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(unknown.text).toMatch(/<a class="button primary" href="\/verify\/vs_[^"<>]*">Try again<\/a>/)
})

test('[PAGE-10] the page sets no cookie and sends its security headers; only an open verification has a form', async () => {
  const { id } = await create(merchant)
  const over = await create(merchant)
  await anonymous.post(`/verify/${over.id}/cancel`)
  for (const [path, formAction] of [
    [`/verify/${id}`, 'self'],
    [`/verify/${over.id}`, 'none'],
    ['/verify/unknown', 'none'],
  ]) {
    const { headers } = await anonymous.get(path ?? '')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action '${formAction}'; frame-ancestors 'none'`,
    )
    expect(headers.get('permissions-policy')).toContain('digital-credentials-get=(self)')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('[PAGE-10] text of the merchant cannot become markup, on the page and in its links', async () => {
  const shop = await service.tenant()
  const by = { kind: 'operator', tenant_id: shop.tenant_id } as const
  const hostile = `"><script>alert(1)</script><b x='`
  await setBrand(ctx, {
    by,
    brand: { display_name: hostile, privacy_url: 'https://x.example/?q="><script>' },
  })
  const { id, wallet_uri } = await create(shop, {
    purpose: hostile,
    redirect_url: `https://shop.example/?q=%22"><script>'`,
  })
  const pages = [(await anonymous.get(`/verify/${id}`)).text]
  await respondUntilAccepted(service, wallet_uri)
  pages.push((await anonymous.get(`/verify/${id}`)).text)
  for (const page of pages) {
    expect(page).not.toMatch(/<script>|<b x|"><script/)
    expect(page).toContain('&lt;script&gt;')
  }
})

test('the texts of the component are served in every language, to any origin', async () => {
  for (const language of Object.keys(languages)) {
    const { status, headers, body } = await anonymous.get(`/verify/languages/${language}.json`)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(Object.keys(body)).toContain('scan_warning')
  }
  expect((await anonymous.get('/verify/languages/xx.json')).status).toBe(404)
})

test('an error is a page too, in the language of the holder, and offers to try again', async () => {
  await using limited = await startService({
    environment: { RATE_LIMITS: 'key=100/60,ip=100/60,session=1/60' },
  })
  const shop = await limited.tenant()
  const { id } = await create(shop)
  await limited.anonymous.get(`/verify/${id}`)
  const { status, headers, text } = await limited.anonymous.get(`/verify/${id}?lang=de`)

  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(text).toContain('<html lang="de">')
  expect(text).toMatch(/<a class="button primary" href="">Noch einmal versuchen<\/a>/)
  expect(text).not.toContain(id)
})
