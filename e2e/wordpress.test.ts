import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWallet } from '../apps/service/test/wallet.ts'
import { buildPlugin } from '../integrations/wordpress/build.ts'
import { findViolations } from './fixture/axe.ts'
import { openBrowser, type BrowserUser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'
import { fillSite, listPlaces, marker, word, type Asked, type Site } from './fixture/wordpress-site.ts'
import { admin, isInstalled, startPageCache, startWordPress, type WordPress } from './fixture/wordpress.ts'

// Packages of Debian, listed in .ci/all, which sets RUNTIMES=required so that nothing is skipped there.
const isSkipped = !isInstalled && process.env['RUNTIMES'] !== 'required'

const settingsPage = '/wp-admin/options-general.php?page=vidimus_age_gate'

describe.skipIf(isSkipped)(`WordPress${isSkipped ? ' (skipped: not installed)' : ''}`, () => {
  let fixture: DashboardFixture
  let wordpress: WordPress
  let site: Site
  beforeAll(async () => {
    fixture = await startDashboard()
    wordpress = await startWordPress()
    site = fillSite(wordpress)
  }, 300_000)
  afterAll(async () => {
    await wordpress[Symbol.asyncDispose]()
    await closeDashboard(fixture)
  })

  const configure = (changes: Record<string, unknown>) => site.configure(changes)
  const ask = (path: string, options?: Asked) => site.ask(path, options)
  const cookieName = (name: string) => site.cookieName(name)
  const cookieOf = (outcome: string, seconds: number, name?: string) => site.cookieOf(outcome, seconds, name)
  const visit = (options: { phone?: boolean; script?: boolean } = {}) =>
    openBrowser({ address: wordpress.address, ...options })
  const respond = async (id: string, channel: 'redirect' | 'screen', persona: string) => {
    const wallet = await openWallet(fixture.service.ctx, fixture.address, { persona })
    const result = await wallet.respondOver(channel, id)
    if (!result.sent) throw new Error('the wallet did not respond')
    return JSON.parse(result.body || '{}') as { redirect_uri?: string } // what the service sends
  }
  const pathOf = (name: string) => `/?p=${site.ids[name]}`

  test('is installed from the archive, set up and connected, and prints no secret', async () => {
    const { page } = await visit()
    await page.goto('/wp-login.php')
    await page.getByLabel('Username or Email Address').fill(admin.name)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL(/wp-admin/)
    await page.goto('/wp-admin/plugin-install.php?tab=upload')
    await page.getByLabel('Plugin zip file').setInputFiles(buildPlugin())
    await page.getByRole('button', { name: 'Install Now' }).click()
    await page.getByRole('link', { name: 'Activate Plugin' }).click()
    await page.getByText('Plugin activated.').waitFor()

    await page.goto(settingsPage)
    await page.getByRole('button', { name: 'Test the saved connection' }).click()
    await page.getByText('Enter the address of the service').waitFor()
    const save = async (fields: Record<string, string>) => {
      for (const [label, value] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(value)
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await page
        .getByText(/Settings saved|must begin|begins with/)
        .first()
        .waitFor()
    }
    const testConnection = async (expected: RegExp) => {
      await page.getByRole('button', { name: 'Test the saved connection' }).click()
      await page.getByText(expected).waitFor()
    }
    await save({ 'Address of the service': 'http://verify.example' })
    await page.getByText('must begin with https://').waitFor()
    await save({ 'Address of the service': fixture.address, 'API key': 'vk_test_0wrong' })
    await testConnection(/The service refused: .*invalid_api_key/)
    const secrets = [fixture.merchant.key, fixture.merchant.webhook_secret]
    await save({
      'API key': fixture.merchant.key,
      'Webhook secret': fixture.merchant.webhook_secret,
      Template: 'age_over_99x',
    })
    await testConnection(/there is no template age_over_99x/)
    // Empty fields keep what is stored.
    await save({ Template: 'age_over_18' })
    await testConnection(/Connected. This is a test key/)
    for (const secret of secrets) expect(await page.content()).not.toContain(secret)
    await takeScreenshot(page, 'wordpress-settings')
    await page.setViewportSize({ width: 390, height: 844 })
    await takeScreenshot(page, 'wordpress-settings-390')
    await page.goto('/wp-admin/post-new.php')
    await expect
      .poll(() => page.evaluate("Boolean(window.wp?.blocks?.getBlockType('vidimus/gate'))"))
      .toBe(true)
    // Nobody else changes settings.
    for (const [path, method] of [
      [settingsPage, 'GET'],
      ['/wp-admin/options.php', 'POST'],
      ['/wp-admin/admin-post.php?action=vidimus_test', 'POST'],
    ] as const) {
      const { text } = await ask(path, {
        method,
        body: method === 'POST' ? 'option_page=vidimus_age_gate&action=update' : undefined,
      })
      expect(text).not.toContain('Address of the service')
    }
    expect(wordpress.run("echo get_option('vidimus_age_gate')['base_url'];")).toBe(fixture.address)
    configure({ categories: [site.ids['category']] })
  })

  test('a visitor with a phone proves their age with the one-time code, once', async () => {
    const { page, context } = await visit({ phone: true })
    await page.goto(pathOf('gated'))
    await expect.poll(() => findViolations(page)).toEqual([])
    await takeScreenshot(page, 'wordpress-gate-390')
    expect(await page.content()).not.toContain(marker)
    const id = await startCheck(page)
    // The tab stays behind while the wallet is open.
    await page.goto('about:blank')
    const { redirect_uri = '' } = await respond(id, 'redirect', 'adult')
    expect(redirect_uri).toContain('#response_code=')

    // Another browser cannot use the code.
    const other = await visit()
    await other.page.goto(redirect_uri)
    await other.page.getByText('This browser has not started an age check').waitFor()
    await page.goto(redirect_uri)
    await page.getByText(marker).first().waitFor()
    await takeScreenshot(page, 'wordpress-passed-390')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(pathOf('gated'))
    const cookies = (await context.cookies()).filter(({ name }) => name.startsWith('vidimus_'))
    for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    // A second tab that comes back finds the way too.
    await page.goto('/?vidimus_age_gate=return')
    await page.getByText(marker).first().waitFor()
    expect(cookies.find(({ name }) => name === cookieName('age'))?.value).toMatch(
      /^[0-9a-f]{16}\.yes\.[0-9]{10}\.[\w-]{43}$/,
    )
    expect((await other.page.goto(pathOf('gated')))?.ok()).toBe(true)
    expect(await other.page.content()).not.toContain(marker)
  })

  test('a visitor with a computer proves their age by QR code, without JavaScript with a button', async () => {
    const { page } = await visit()
    await page.goto(pathOf('gated'))
    await takeScreenshot(page, 'wordpress-gate')
    const id = await startCheck(page)
    await respond(id, 'screen', 'adult')
    await page.getByText(marker).first().waitFor()
    await takeScreenshot(page, 'wordpress-passed')

    const plain = await visit({ script: false })
    await plain.page.goto(pathOf('gated'))
    await respond(await startCheck(plain.page), 'screen', 'adult')
    await plain.page.goto('/?vidimus_age_gate=return')
    await plain.page.getByRole('button', { name: 'Continue' }).click()
    await plain.page.getByText(marker).first().waitFor()
  })

  test('a visitor who is too young is refused, may try again, and the one-time code can be demanded', async () => {
    const { page } = await visit()
    await page.goto(pathOf('gated'))
    const id = await startCheck(page)
    await respond(id, 'screen', 'minor')
    await page.goto('/?vidimus_age_gate=return')
    await page.getByText('Your age was not proven').waitFor()
    expect(await page.content()).not.toContain(marker)
    await takeScreenshot(page, 'wordpress-refused')

    configure({ require_code: true })
    const strict = await visit()
    await strict.page.goto(pathOf('gated'))
    await respond(await startCheck(strict.page), 'screen', 'adult')
    await strict.page.getByText('A wallet on another device is not accepted here').waitFor()
    const scanned = await strict.context.cookies()
    expect(scanned.filter(({ value }) => value.includes('.yes.'))).toEqual([])
    // The page of the service may be back first, without the code.
    const late = await visit({ phone: true })
    await late.page.goto(pathOf('gated'))
    const { redirect_uri = '' } = await respond(await startCheck(late.page), 'redirect', 'adult')
    await late.page.getByText('A wallet on another device is not accepted here').waitFor()
    await late.page.goto(redirect_uri)
    await late.page.getByText(marker).first().waitFor()
    configure({ require_code: false })
  })

  test('a forged, expired or moved cookie opens nothing', async () => {
    const valid = cookieOf('yes', 3600)
    const opens = async (value: string, name = cookieName('age')) =>
      (await ask(pathOf('gated'), { cookie: `${name}=${value}` })).text.includes(marker)
    expect(await opens(valid)).toBe(true)
    const [gate = '', , expiry = '', mac = ''] = valid.split('.')
    for (const forged of [
      cookieOf('no', 3600),
      cookieOf('yes', -1),
      `${gate}.yes.${Number(expiry) + 1}.${mac}`,
      `${'0'.repeat(16)}.yes.${expiry}.${mac}`,
      `${gate}.yes.${expiry}`,
      `${gate}.yes.${expiry}.`,
      cookieOf('yes', 3600, 'pending'),
      'x'.repeat(5000),
      '',
    ])
      expect([forged, await opens(forged)]).toEqual([forged, false])
    configure({ template: 'age_over_21' })
    expect(await opens(valid)).toBe(false)
    configure({ template: 'age_over_18' })
  })

  const places = () => listPlaces(site, wordpress.address)

  test('what is gated leaks through no list, feed, excerpt, embed, comment, REST answer or search', async () => {
    const passed = { cookie: `${cookieName('age')}=${cookieOf('yes', 3600)}` }
    const shown: string[] = []
    for (const path of places()) {
      const { status, text, headers } = await ask(path)
      // WordPress itself refuses a single comment of what needs a password.
      expect([path, status === 200 || path.includes('/comments/'), text.includes(marker)]).toEqual([
        path,
        true,
        false,
      ])
      const open = await ask(path, passed)
      expect([path, open.headers.get('cache-control')]).toEqual([path, expect.stringContaining('no-store')])
      if (open.text.includes(marker)) shown.push(path)
      const hasNonce = text.includes('vidimus_nonce')
      expect([path, !hasNonce || headers.get('cache-control')?.includes('no-store')]).toEqual([path, true])
    }
    // The same places do show it to those who passed, so the check above can fail.
    expect(shown.length).toBeGreaterThan(14)
    for (const search of [
      `/?s=${word}`,
      `/?s=${word}&feed=rss2`,
      `/?rest_route=/wp/v2/posts&search=${word}`,
      `/?rest_route=/wp/v2/search&search=${word}`,
    ]) {
      const titles = async (options: Asked) =>
        ((await ask(search, options)).text.match(/Title (?!imprint)\w+/g) ?? []).length
      expect([search, await titles({})]).toEqual([search, 0])
      expect(await titles(passed)).toBeGreaterThan(2)
    }
    expect((await ask(pathOf('public'))).text).toContain('Everybody may read this.')
  })

  test('a whole site is gated but for its open pages', async () => {
    configure({ whole_site: true, open_pages: [site.ids['imprint']] })
    for (const path of [...places(), pathOf('public'), `/?s=everybody`])
      expect([path, /what-only-adults-read|Everybody may read this/.test((await ask(path)).text)]).toEqual([
        path,
        false,
      ])
    expect((await ask(`/?page_id=${site.ids['imprint']}`)).text).toContain('Our address')
    expect((await ask('/wp-login.php')).text).toContain('Log In')
    configure({ whole_site: false, open_pages: [] })
  })

  test('a cache of pages that ignores cookies never gives out what is gated', async () => {
    await using cache = await startPageCache(wordpress.address)
    const passed = { cookie: `${cookieName('age')}=${cookieOf('yes', 3600)}` }
    for (const options of [passed, {}, passed, {}]) {
      for (const path of places()) {
        const { text } = await ask(path, { ...options, address: cache.address })
        expect([path, options !== passed && text.includes(marker)]).toEqual([path, false])
      }
      await ask(pathOf('public'), { ...options, address: cache.address })
    }
    expect(cache.hits).toBeGreaterThan(0)
    // Those who passed are not shown the gate from the cache.
    const again = await ask(pathOf('gated'), { ...passed, address: cache.address })
    expect(again.text).toContain(marker)
  })

  test('the webhook notes yes or no for verifications of this site, and nothing else', async () => {
    const { page, context } = await visit({ script: false })
    await page.goto(pathOf('gated'))
    const id = await startCheck(page)
    await respond(id, 'screen', 'adult')
    const noted = () => wordpress.run(`echo get_transient(VidimusAgeGate\\result_name('${id}'));`)
    await expect.poll(noted).toBe('yes')
    // The result is here: the service is not asked any more.
    configure({ api_key: 'vk_test_0wrong' })
    await page.goto('/?vidimus_age_gate=return')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(marker).first().waitFor()
    configure({ api_key: fixture.merchant.key })
    await context.close()

    const event = (verification: object) =>
      JSON.stringify({ type: 'verification.completed', verification, sent_at: randomUUID() })
    const send = async (body: string, { secret = fixture.merchant.webhook_secret, age_seconds = 0 } = {}) => {
      const t = Math.floor(Date.now() / 1000) - age_seconds
      const mac = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-service-signature': `t=${t},v1=${mac}` }
      const { status, text } = await ask('/?rest_route=/vidimus-age-gate/v1/webhook', {
        method: 'POST',
        body,
        headers,
      })
      return [status, JSON.parse(text)]
    }
    const foreign = {
      id: 'vs_foreign',
      status: 'completed',
      template: 'age_over_18',
      claims: { age_over_18: true },
      created_at: 't',
      expires_at: 't',
    }
    const body = event(foreign)
    expect(await send(body, { secret: 'whsec_wrong' })).toEqual([400, { reason: 'wrong_signature' }])
    expect(await send(body, { age_seconds: 600 })).toEqual([400, { reason: 'outside_tolerance' }])
    expect(await send(JSON.stringify('x'.repeat(300_000)))).toEqual([413, { reason: 'too_large' }])
    expect(await send(body)).toEqual([200, { received: true }])
    expect(await send(body)).toEqual([200, { duplicate: true }])
    expect(wordpress.run("var_export(get_transient(VidimusAgeGate\\result_name('vs_foreign')));")).toBe(
      'false',
    )
    expect(await send('[]')).toEqual([400, { reason: 'unreadable_event' }])
    expect(
      wordpress.run(
        "global $wpdb; echo $wpdb->get_var(\"select count(*) from wp_options where option_value like '%claims%' or option_name like '%vs_%'\");",
      ),
    ).toBe('0')
  })

  test('WooCommerce’s hooks ask before the checkout of chosen categories', async () => {
    configure({ product_categories: [site.ids['product_category']] })
    const shop = async (way: string, product: string, options: Asked = {}) =>
      ask(`/?small_shop=${way}&item=${site.ids[product]}`, options)
    expect((await shop('form', 'wine')).text).toContain('Prove your age')
    expect((await shop('payment form', 'wine')).text).toContain('Prove your age')
    expect((await shop('classic', 'wine')).text).toContain('error: Some of these products')
    const refused = await shop('payment', 'wine')
    expect([refused.status, refused.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/\/payment$/),
    ])
    expect(await shop('block', 'wine')).toMatchObject({
      status: 403,
      text: expect.stringContaining('refused: Some of these'),
    })
    const passed = { cookie: `${cookieName('age')}=${cookieOf('yes', 3600)}` }
    for (const [way, product, options] of [
      ['classic', 'bread', {}],
      ['block', 'bread', {}],
      ['payment', 'bread', {}],
      ['classic', 'wine', passed],
      ['block', 'wine', passed],
      ['payment', 'wine', passed],
      ['payment form', 'wine', passed],
    ] as const)
      expect([way, product, (await shop(way, product, options)).text]).toEqual([way, product, 'order placed'])
  })

  test('verifications are created by POST with a nonce only, and ten in ten minutes for each address', async () => {
    expect((await ask('/?vidimus_age_gate=start')).status).toBe(302)
    const post = (fields: Record<string, string>, path = 'start') =>
      ask(`/?vidimus_age_gate=${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post({})).status).toBe(403)
    expect((await post({ vidimus_nonce: 'wrong' })).status).toBe(403)
    expect((await post({ response_code: 'x' }, 'finish')).status).toBe(403)
    const [, nonce = ''] =
      /name="vidimus_nonce" value="([^"]+)"/.exec((await ask(pathOf('gated'))).text) ?? []
    wordpress.run(
      'global $wpdb; $wpdb->query("delete from wp_options where option_name like \'%vidimus_n_%\'");',
    )
    const results = await Promise.all(
      Array.from({ length: 14 }, () =>
        post({ vidimus_nonce: nonce, vidimus_return: 'https://evil.example/"><script>' }),
      ),
    )
    expect(results.filter(({ status }) => status === 303)).toHaveLength(10)
    const refused = results.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(4)
    for (const { text } of refused) {
      expect(text).toContain('name="vidimus_return" value="/"')
      expect(text).not.toContain('evil.example')
    }
  })

  test('it logs no error and no secret, and leaves nothing behind when it is deleted', async () => {
    const log = wordpress.run(
      "$file = WP_CONTENT_DIR . '/debug.log'; echo is_file($file) ? file_get_contents($file) : '';",
    )
    expect(
      log
        .split('\n')
        .filter(
          (line) =>
            /vidimus-age-gate|PHP (Fatal|Warning|Notice)/.test(line) && !line.includes('WordPress.org'),
        ),
    ).toEqual([])
    for (const secret of [fixture.merchant.key, fixture.merchant.webhook_secret, 'vs_'])
      expect(log).not.toContain(secret)
    wordpress.run(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; require_once ABSPATH . 'wp-admin/includes/file.php';
      deactivate_plugins('vidimus-age-gate/vidimus-age-gate.php'); delete_plugins(['vidimus-age-gate/vidimus-age-gate.php']);`)
    expect(
      wordpress.run(
        'global $wpdb; echo $wpdb->get_var("select count(*) from wp_options where option_name like \'%vidimus%\'") + $wpdb->get_var("select count(*) from wp_postmeta where meta_key like \'%vidimus%\'");',
      ),
    ).toBe('0')
  })
})

/** Presses the button of the gate. Returns the id of the verification whose page is then shown. */
async function startCheck(page: BrowserUser['page']): Promise<string> {
  await page.getByRole('button', { name: 'Prove your age' }).first().click()
  await page.waitForURL(/\/verify\/vs_/)
  return /\/verify\/(vs_[\w-]+)/.exec(page.url())?.[1] ?? ''
}
