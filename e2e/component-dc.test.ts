import { afterAll, expect, test } from 'vitest'
import { setPolicies } from '../apps/service/src/accounts/tenants/tenant-settings.ts'
import { findViolations } from './fixture/axe.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { openShop, type Customer } from './fixture/shop.ts'
import { openVirtualWallet } from './fixture/virtual-wallet.ts'

const fixture = await startDashboard()
const shop = await openShop(fixture)
const { origin } = shop
afterAll(async () => {
  await closeDashboard(fixture)
  await shop[Symbol.asyncDispose]()
})

const button = ({ page }: Customer) => page.getByRole('button', { name: 'Continue with your wallet' })
const statusOf = async (id: string) => (await fixture.merchant.get(`/v1/verifications/${id}`)).body.status
const readClaims = async (id: string) => (await fixture.merchant.get(`/v1/verifications/${id}`)).body.claims

test.each([
  { channel: 'dc_api', format: 'dc+sd-jwt' },
  { channel: 'dc_api', format: 'mso_mdoc' },
  { channel: 'annex_c', format: 'mso_mdoc' },
] as const)(
  'the browser passes on an answer over $channel in $format, and the page follows the redirect with its code',
  async ({ channel, format }) => {
    const { id } = await shop.create()
    await using customer = await shop.visit(id)
    const { page, events, cspViolations } = customer
    const wallet = await openVirtualWallet(fixture, customer)
    await wallet.respond({ id, origin, channel, format })
    const visited: string[] = []
    page.on('framenavigated', (frame) => void visited.push(frame.url()))

    await button(customer).click()
    await page.waitForURL(/\/back#response_code=/)
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()

    expect(visited).toHaveLength(1)
    const response_code = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('response_code')
    const redeemed = await fixture.merchant.post(`/v1/verifications/${id}/redeem`, { response_code })
    expect(redeemed.body).toMatchObject({ status: 'completed', claims: { age_over_18: true } })
    expect(events).toEqual([
      { type: 'vidimus-ready', detail: { id, status: 'pending' } },
      { type: 'vidimus-completed', detail: { id, status: 'completed', redirect_uri: page.url() } },
    ])
    expect(cspViolations).toEqual([])
  },
)

test('[PAGE-4] an answer that is not accepted shows so, without a redirect', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id)
  const { page, events } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.respond({ id, origin, channel: 'dc_api', persona: 'minor' })

  await button(customer).click()
  await page.getByRole('heading', { name: 'Your document could not be accepted' }).waitFor()
  await page.waitForTimeout(1000)

  expect(new URL(page.url()).pathname).toBe('/')
  expect(events.at(-1)?.detail).toEqual({ id, status: 'failed', outcome: 'not_accepted' })
})

test.each([
  { speed: 'fast', shown: 299, steps: ['ready', 'completed'] },
  { speed: 'slow', shown: 301, steps: ['ready', 'checking', 'completed'] },
])('a $speed check has these screens: $steps', async ({ shown, steps }) => {
  const { id } = await shop.create({ redirect_url: undefined })
  await using customer = await shop.visit(id)
  const { page } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.respond({ id, origin, channel: 'dc_api' })
  const release = Promise.withResolvers<void>()
  const posted = Promise.withResolvers<void>()
  await page.route('**/wallet/dc/*', async (route) => {
    if (route.request().method() === 'POST') {
      posted.resolve()
      await release.promise
    }
    await route.continue()
  })
  await page.evaluate(`{
    const element = document.querySelector('vidimus-verify')
    window.steps = [element.dataset.step]
    new MutationObserver(() => element.dataset.step !== window.steps.at(-1) && window.steps.push(element.dataset.step))
      .observe(element, { attributeFilter: ['data-step'] })
  }`)
  await expect.poll(() => button(customer).isEnabled()).toBe(true)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await button(customer).click()
  await posted.promise
  await page.clock.fastForward(shown)
  release.resolve()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await page.evaluate('window.steps')).toEqual(steps)
})

test('cancelling leaves the session pending, and the code is one tap away, on a phone too', async () => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id, { phone: true, attributes: 'methods="dc link qr"' })
  const { page, events } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.cancel()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)

  await button(customer).tap()
  await page.getByText('No wallet answered. Try again, or use another way.').first().waitFor()
  await takeScreenshot(page, 'component-cancelled-phone')
  await page.getByRole('button', { name: 'Another way' }).tap()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()

  expect(await statusOf(id)).toBe('pending')
  expect(events.map(({ type }) => type)).toEqual(['vidimus-ready'])
  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.waitForURL(`${origin}/back`)
})

test('an error of the wallet leaves the session open, and a second try works', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id)
  const { page, events } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.fail('access_denied')

  const posted = page.waitForRequest((request) => request.method() === 'POST')
  await button(customer).click()
  await page.getByText('You declined, or your wallet has no suitable document.').first().waitFor()
  expect((await posted).postData()).toBe('protocol=openid4vp-v1-signed&error=access_denied')
  expect(await statusOf(id)).toBe('pending')
  expect(events.at(-1)).toEqual({
    type: 'vidimus-error',
    detail: { id, status: 'pending', reason: 'wallet_error' },
  })

  await wallet.respond({ id, origin, channel: 'dc_api' })
  await button(customer).click()
  await page.waitForURL(/\/back#response_code=/)
  expect(await readClaims(id)).toEqual({ age_over_18: true })
})

test('after a refusal without a reason the session is open for another wallet, and so is the page', async () => {
  const { id } = await shop.create({ redirect_url: undefined })
  await using customer = await shop.visit(id)
  const { page } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  const refusing = { parameters: () => ({ error: 'access_denied' }) }
  await wallet.respond({ id, origin, channel: 'dc_api', alterations: refusing })

  await button(customer).click()
  await page.getByText('No wallet answered. Try again, or use another way.').first().waitFor()
  expect(await statusOf(id)).toBe('pending')

  await wallet.respond({ id, origin, channel: 'annex_c', format: 'mso_mdoc' })
  await button(customer).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await readClaims(id)).toEqual({ age_over_18: true })
})

test('the request is fetched before the button is enabled, and a click calls the API before anything else', async () => {
  const { id } = await shop.create()
  const release = Promise.withResolvers<undefined>()
  await using customer = await shop.visit(id, {
    async prepare({ page }) {
      await page.addInitScript(recordCalls)
      await page.route('**/wallet/dc/*', async (route) => {
        await release.promise
        await route.continue()
      })
    },
  })
  const { page } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.wait()
  await button(customer).waitFor()
  expect(await button(customer).isDisabled()).toBe(true)

  release.resolve(undefined)
  await expect.poll(() => button(customer).isEnabled()).toBe(true)
  await page.evaluate('calls.length = 0')
  await button(customer).click()
  await expect.poll(() => page.evaluate('calls.length')).toBeGreaterThan(0)

  expect(await page.evaluate('calls')).toEqual([
    {
      name: 'get',
      active: true,
      mediation: 'required',
      protocols: ['openid4vp-v1-signed', 'org-iso-mdoc'],
    },
  ])
})

test('[DC-10] an answer on another device closes the dialog of the browser', async () => {
  const { id, screen_uri } = await shop.create()
  await using customer = await shop.visit(id, { attributes: 'redirect="manual"' })
  const { page, events } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.wait()
  await button(customer).click()

  await fixture.respond(screen_uri, { persona: 'adult' })
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await page.waitForTimeout(1000)

  expect(await page.getByRole('heading', { name: 'Done' }).isVisible()).toBe(true)
  expect(events.filter(({ type }) => type === 'vidimus-completed')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'vidimus-error')).toEqual([])
})

test("a new session closes the browser's dialog, and no answer of the old one reaches either", async () => {
  const [first, second] = [await shop.create(), await shop.create()]
  const posts: string[] = []
  await using customer = await shop.visit(first.id, {
    async prepare({ page }) {
      // The wallet answers although the page has withdrawn its request.
      await page.addInitScript(`
        navigator.credentials.get = ({ signal }) => new Promise((resolve) => {
          window.dialog = { signal, answer: () => resolve({ protocol: 'openid4vp-v1-signed', data: { response: 'late' } }) }
        })`)
      page.on('request', (request) => {
        if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
      })
    },
  })
  const { page } = customer
  await button(customer).click()
  await expect.poll(() => page.evaluate('window.dialog !== undefined')).toBe(true)
  await page.evaluate(`document.querySelector('vidimus-verify').setAttribute('session', '${second.id}')`)
  expect(await page.evaluate('dialog.signal.aborted')).toBe(true)
  await page.evaluate('dialog.answer()')
  await button(customer).waitFor()
  await page.waitForTimeout(2500)

  expect(posts).toEqual([])
  expect(await button(customer).isEnabled()).toBe(true)
  // The same answer is posted if the session stays the same.
  await button(customer).click()
  await page.evaluate('dialog.answer()')
  await page.getByText('Your wallet could not answer.').first().waitFor()
  expect(posts).toEqual([`/wallet/dc/${second.id}`])
})

test('[DC-9] the button is missing where the merchant has not allowed the origin', async () => {
  const other = await fixture.service.tenant()
  const { body } = await other.post('/v1/verifications', { template: 'age_over_18' })
  await using customer = await shop.visit(body.id)
  await customer.page.getByRole('heading', { name: 'Scan with your phone' }).waitFor()

  expect(await button(customer).count()).toBe(0)
})

test('axe finds nothing with the button, and with a notice', async () => {
  const { id } = await shop.create()
  await using customer = await shop.visit(id, { theme: 'dark' })
  const { page } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.cancel()
  await expect.poll(() => button(customer).isEnabled()).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'component-dc-dark')

  await button(customer).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No wallet answered.').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await page.getByRole('status').textContent()).toBe(
    'No wallet answered. Try again, or use another way.',
  )
})

test('[RET-2] with a result that is held back, the redirect with its code completes it', async () => {
  const { ctx } = fixture.service
  await setPolicies(ctx, { tenant_id: fixture.merchant.tenant_id, hold_back: true })
  const { id } = await shop.create()
  await using customer = await shop.visit(id)
  const { page } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await wallet.respond({ id, origin, channel: 'dc_api' })
  await button(customer).waitFor()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)

  await button(customer).click()
  await page.waitForURL(/\/back#response_code=/)
  expect(await statusOf(id)).toBe('pending')
})

test('where there is no QR code, a wallet that was opened and closed again leaves the other ways', async () => {
  const { ctx } = fixture.service
  await setPolicies(ctx, { tenant_id: fixture.merchant.tenant_id, hold_back: true })
  const { id, wallet_uri } = await shop.create()
  await using customer = await shop.visit(id)
  const { page } = customer
  const wallet = await openVirtualWallet(fixture, customer)
  await button(customer).waitFor()
  expect((await fetch(new URL(wallet_uri).searchParams.get('request_uri') ?? '')).status).toBe(200)
  await page.getByRole('heading', { name: 'Continue in your wallet' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Another way' }).click()
  await page.getByRole('button', { name: 'Choose a wallet app' }).click()
  expect(await page.getByRole('link', { name: 'Open your wallet', exact: true }).getAttribute('href')).toBe(
    wallet_uri.replace('openid4vp:', 'eu-eaap:'),
  )
  await page.getByRole('button', { name: 'Close' }).click()

  await wallet.respond({ id, origin, channel: 'dc_api' })
  await page.getByRole('button', { name: 'Open your wallet again' }).click()
  await page.waitForURL(/\/back#response_code=/)
})

/** Records calls of the API and of `fetch`, in order, and whether the click's permission was still there. */
const recordCalls = `
  window.calls = []
  const get = navigator.credentials.get.bind(navigator.credentials)
  navigator.credentials.get = (options) => {
    calls.push({
      name: 'get',
      active: navigator.userActivation.isActive,
      mediation: options.mediation,
      protocols: options.digital.requests.map(({ protocol }) => protocol),
    })
    return get(options)
  }
  const send = window.fetch.bind(window)
  window.fetch = (...args) => {
    calls.push({ name: 'fetch', url: String(args[0]) })
    return send(...args)
  }`
