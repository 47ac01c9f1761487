import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawQrPath } from '../packages/qr-code/src/index.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { openVirtualWallet } from './fixture/virtual-wallet.ts'
import { ask, openPairedTill, readId, readOutcomes, readWord, reportWalletError } from './fixture/till.ts'

/** The name of the button includes its hint. */
const photoTemplate = '18 or over, with photo You compare the photo'

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test('[TILL-4] from pairing to Yes in both formats', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  for (const format of ['dc+sd-jwt', 'mso_mdoc'] as const) {
    const wallet_uri = await ask(page)
    await fixture.respond(wallet_uri, { persona: 'adult', format })
    expect([format, await readWord(page)]).toEqual([format, 'Yes'])
    await page.getByRole('button', { name: 'Done' }).click()
  }
  expect(await readOutcomes(page)).toEqual([
    expect.stringMatching(/Yes\s+18 or over/),
    expect.stringMatching(/Yes\s+18 or over/),
  ])
  expect([user.foreignRequests, user.cspViolations]).toEqual([[], []])
})

test.each([
  { channel: 'dc_api', format: 'dc+sd-jwt' },
  { channel: 'annex_c', format: 'mso_mdoc' },
] as const)(
  '[TILL-4] a wallet that the browser finds responds over $channel',
  async ({ channel, format }) => {
    await using user = await openBrowser({ address: fixture.address })
    const { page } = await openPairedTill(fixture, user)
    const wallet = await openVirtualWallet(fixture, user)
    const nearby = page.getByRole('button', { name: 'Connect to a phone nearby' })
    const id = readId(await ask(page))

    await wallet.cancel()
    await nearby.click()
    await page.getByText('No wallet responded. Try again, or scan the code.').waitFor()
    expect(await page.getByRole('img', { name: 'QR code' }).count()).toBe(1)

    await wallet.respond({ id, origin: fixture.address, channel, format })
    await nearby.click()
    expect(await readWord(page)).toBe('Yes')
    expect([user.foreignRequests, user.cspViolations]).toEqual([[], []])
  },
)

test('[TILL-4] each answer has its own word, shape, colour and sound, and a fault never looks like a No', async () => {
  await using user = await openBrowser({ address: fixture.address })
  await user.page.addInitScript(recordSounds)
  const { page } = await openPairedTill(fixture, user)
  const seen: Record<string, unknown[]> = {}
  for (const [persona, word, reason] of [
    ['adult', 'Yes', ''],
    ['minor', 'No', 'Not 18 or over'],
    ['declines', 'No', 'Declined, or no suitable document in the wallet'],
    ['revoked', 'No', 'The document was revoked'],
    ['untrusted_issuer', 'No', 'The issuer of the document is not trusted'],
  ] as const) {
    await fixture.respond(await ask(page), { persona })
    expect([persona, await readWord(page)]).toEqual([persona, word])
    if (reason !== '') await page.getByText(reason).waitFor()
    seen[word] = await describeResponse(page)
    await page.getByRole('button', { name: 'Done' }).click()
  }
  const wallet_uri = await ask(page)
  await reportWalletError(wallet_uri)
  expect(await readWord(page)).toBe('Not checked')
  await page.getByText('The wallet reported an error').waitFor()
  await page.getByText('This says nothing about the person').waitFor()
  seen['Not checked'] = await describeResponse(page)

  const [yes, no, notChecked] = [seen['Yes'], seen['No'], seen['Not checked']]
  for (const part of [0, 1, 2]) expect(new Set([yes?.[part], no?.[part], notChecked?.[part]]).size).toBe(3)
  const box = await page.locator('main.answer').boundingBox()
  expect(box).toEqual({ x: 0, y: 0, width: 1440, height: 900 })
})

test('a double tap and a lost reply create one verification', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user)
  const keys: (string | undefined)[] = []
  let lost = 2
  await page.route('**/v1/verifications', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (lost === 0) return route.continue()
    lost -= 1
    await route.fetch()
    await route.abort()
  })
  const before = await countVerifications()
  await page.getByRole('button', { name: '18 or over', exact: true }).dblclick()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(await countVerifications()).toBe(before + 1)
  expect(device_id).toMatch(/^[0-9a-f-]{36}$/)
  const stop = page.getByRole('button', { name: 'Stop' })
  expect((await stop.boundingBox())?.height).toBeGreaterThanOrEqual(64)
})

test('there is one button of at least 64 pixels for each allowed template', async () => {
  await using user = await openBrowser({ address: fixture.address, phone: true })
  const templates = ['age_over_18', 'age_over_21', 'identity_basic', 'driving_licence', 'address']
  const { page } = await openPairedTill(fixture, user, templates)
  const buttons = await page.locator('.tile').all()
  expect(buttons).toHaveLength(templates.length)
  for (const button of buttons) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(64)
})

test('the QR code is the newest, black on white in both themes, and the screen stays awake', async () => {
  for (const theme of ['light', 'dark'] as const) {
    await using user = await openBrowser({ address: fixture.address, theme })
    await user.page.setViewportSize({ width: 768, height: 1024 })
    await user.page.addInitScript(recordWakeLocks)
    await user.page.addInitScript(recordCodes)
    const { page } = await openPairedTill(fixture, user)
    const wallet_uri = await ask(page)
    const box = await page.locator('.qr').boundingBox()
    expect(box?.width).toBeGreaterThan(400)
    expect(box?.height).toBe(box?.width)
    for (const [width, height] of [
      [360, 640],
      [390, 844],
      [768, 1024],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      const bar = await page.locator('.staff').boundingBox()
      const code = await page.locator('.qr').boundingBox()
      // The bar of staff lies over nothing of the code.
      expect([width, (code?.y ?? 0) + (code?.height ?? 0) <= (bar?.y ?? 0)]).toEqual([width, true])
    }
    const code = String(await page.evaluate('codes.at(-1)'))
    expect(code).not.toContain(readId(wallet_uri))
    expect(await page.locator('.qr rect').getAttribute('fill')).toBe('#fff')
    expect(await page.locator('.qr path').getAttribute('fill')).toBe('#000')
    expect(await page.locator('.qr path').getAttribute('d')).toBe(drawQrPath(code).path)
    await expect.poll(() => page.evaluate('wakeLocks')).toEqual(['requested'])

    // A browser releases the lock of a hidden page; it is requested again.
    await page.evaluate('releaseWakeLock()')
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => page.evaluate('wakeLocks')).toEqual(['requested', 'requested'])
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => page.evaluate('wakeLocks')).toEqual(['requested', 'requested', 'released'])
  }
})

test('[TILL-5] a photo is compared before there is a Yes, leaves on blur and after 60 s, and no other claim is shown or kept', async () => {
  await using user = await openBrowser({ address: fixture.address })
  await user.page.clock.install()
  await user.page.addInitScript(recordSounds)
  const { page } = await openPairedTill(fixture, user, ['age_over_18_photo', 'identity_basic'])
  const portrait = page.getByRole('img', { name: 'Photo from the document' })
  const showPortrait = async () => {
    await fixture.respond(await ask(page, photoTemplate), { persona: 'adult' })
    await portrait.waitFor()
  }
  const compare = async (button: string) => {
    const [sent] = await Promise.all([
      page.waitForResponse((each) => each.url().endsWith('/comparison')),
      page.getByRole('button', { name: button }).click(),
    ])
    return (await sent.json()).same_person
  }
  await showPortrait()
  expect(await page.locator('main.answer').count()).toBe(0)
  expect(await page.evaluate('sounds')).toEqual([])
  const { width = 0, height = 0 } = (await page.locator('figure').boundingBox()) ?? {}
  expect(width * height).toBeGreaterThanOrEqual((1440 * 900) / 2)
  expect(await compare('Same person')).toBe(true)
  expect(await readWord(page)).toBe('Yes')
  expect(await portrait.count()).toBe(0)
  await page.getByRole('button', { name: 'Done' }).click()

  await showPortrait()
  expect(await compare('Not this person')).toBe(false)
  expect(await readWord(page)).toBe('No')
  await page.getByRole('button', { name: 'Done' }).click()

  await showPortrait()
  await page.evaluate(`window.dispatchEvent(new Event('blur'))`)
  await page.getByText('The photo was not compared').waitFor()
  expect([await portrait.count(), await readWord(page)]).toEqual([0, 'Not checked'])
  await page.getByRole('button', { name: 'Done' }).click()

  await showPortrait()
  await page.clock.fastForward(58_000)
  expect(await portrait.count()).toBe(1)
  await page.clock.fastForward(2000)
  await page.getByText('The photo was not compared').waitFor()
  await page.clock.fastForward(20_000)
  await page.getByRole('heading', { name: 'What do you want to check?' }).waitFor()

  await fixture.respond(await ask(page, 'Name and date of birth'), { persona: 'adult' })
  expect(await readWord(page)).toBe('Yes')
  const everything = await page.evaluate(`(async () => {
    const stores = await indexedDB.databases()
    const caches_ = await caches.keys()
    return JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, stores, caches_])
  })()`)
  expect(everything).not.toMatch(/Erika|Mustermann|data:image\/jpe?g/)
})

test('the last outcomes are on the screen until the shift ends, and in no store', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  await fixture.respond(await ask(page), { persona: 'minor' })
  await page.getByRole('button', { name: 'Done' }).click()
  await ask(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect
    .poll(() => readOutcomes(page))
    .toEqual([
      expect.stringContaining('Not checked'),
      expect.stringMatching(/No\s+18 or over · Not 18 or over/),
    ])
  await page.getByRole('button', { name: 'Last checks' }).click()
  await page.getByRole('button', { name: 'End shift' }).click()
  await page.getByRole('button', { name: 'Last checks' }).click()
  await page.getByText('None in this shift').waitFor()
})

test('with a PIN, neither the shift ends nor the settings open without it', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page, device_id } = await openPairedTill(fixture, user)
  await fixture.merchant.request('PATCH', `/v1/devices/${device_id}`, { body: { pin: '471100' } })
  await page.reload()
  await page.getByRole('button', { name: 'Settings' }).waitFor()
  await ask(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Last checks' }).click()
  await page.getByRole('button', { name: 'End shift' }).click()
  await page.getByRole('heading', { name: 'PIN to end the shift' }).waitFor()
  for (const digit of '0000') await page.getByRole('button', { name: digit, exact: true }).click()
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByText('Wrong PIN. Tries left: 4').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await readOutcomes(page)).toHaveLength(1)

  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'PIN for the settings' }).waitFor()
  await page.keyboard.type('471100')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('the till speaks the language of the device, and the choice is remembered', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
  await page.getByRole('button', { name: 'Fertig' }).click()
  await page.getByRole('button', { name: '18 oder älter', exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  await page.reload()
  await page.getByRole('heading', { name: 'Was möchten Sie prüfen?' }).waitFor()
})

async function countVerifications(): Promise<number> {
  const { body } = await fixture.merchant.get('/v1/verifications?limit=100')
  return body.data.length
}

/** What someone sees and hears: colour, shape and sound. */
async function describeResponse(page: Page): Promise<unknown[]> {
  const [colour, shape, sound] = (await page.evaluate(`(() => {
    const main = document.querySelector('main.answer')
    const { backgroundColor, backgroundImage } = getComputedStyle(main)
    return [backgroundColor + backgroundImage, main.querySelector('.shape').innerHTML, JSON.stringify(sounds.splice(0))]
  })()`)) as string[]
  expect(sound).not.toBe('[]')
  return [colour, shape, sound]
}

const recordSounds = `
  globalThis.sounds = []
  const Real = OscillatorNode
  globalThis.OscillatorNode = class extends Real {
    constructor(context, options) { super(context, options); sounds.push([options.type, options.frequency]) }
  }`

const recordCodes = `
  globalThis.codes = []
  const Stream = EventSource
  globalThis.EventSource = class extends Stream {
    constructor(url) {
      super(url)
      this.addEventListener('code', ({ data }) => codes.push(JSON.parse(data).uri))
    }
  }`

const recordWakeLocks = `
  globalThis.wakeLocks = []
  let current
  globalThis.releaseWakeLock = () => { current.released = true }
  Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
    wakeLocks.push('requested')
    current = { released: false, release: async () => { current.released = true; wakeLocks.push('released') } }
    return current
  } } })`
