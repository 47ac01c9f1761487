import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { closeBrowser, type Visitor } from './browser.ts'
import { startWorld, type World } from './world.ts'

/** Set to a folder, it is filled with a picture of every page. */
const pictures = process.env['E2E_PICTURES']

let world: World
let visitor: Visitor
let pages: Record<string, string>

beforeAll(async () => {
  world = await startWorld()
  visitor = await world.enter()
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
})
afterAll(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const titles = {
  overview: 'Overview',
  verifications: 'Verifications',
  templates: 'Templates',
  'template-new': 'New template',
  template: 'Age over 18',
  devices: 'Devices',
  keys: 'API keys',
  webhooks: 'Webhooks',
  'webhooks-secret': 'Webhooks',
  'webhooks-debugger': 'Webhooks',
  usage: 'Usage',
  audit: 'Audit',
  team: 'Team',
  settings: 'Settings',
  account: 'Your account',
  verification: 'Verification',
  'verification-failed': 'Verification',
  delivery: 'Delivery',
}

const always = {
  overview: '',
  verifications: '/verifications',
  templates: '/templates',
  'template-new': '/templates/new',
  template: '/templates/age_over_18',
  devices: '/devices',
  keys: '/keys',
  webhooks: '/webhooks',
  'webhooks-secret': '/webhooks?tab=secret',
  'webhooks-debugger': '/webhooks?tab=debugger',
  usage: '/usage',
  audit: '/audit',
  team: '/team',
  settings: '/settings',
  account: '/account',
}

test('empty pages teach, keep to the rules of access and policy, and fit a phone', async () => {
  pages = always
  // The live environment has nothing in it.
  await look({ environment: 'live', name: 'empty' })
})

test('full pages keep to the rules of access and policy, and fit a phone', async () => {
  const completed = await world.answered('adult', {
    webhook_url: world.hook.url,
    purpose: 'Age check at the till',
    metadata: { order: 'A-1042' },
  })
  const failed = await world.answered('minor', { purpose: 'Age check at the till' })
  await world.answered('declines')
  await world.merchant.post('/v1/verifications', { template: 'identity_basic' })
  for (const name of ['Bar, left till', 'Door, tablet']) {
    const { body } = await world.merchant.post('/v1/devices', {
      name,
      allowed_templates: ['age_over_18', 'age_over_16'],
    })
    if (name.startsWith('Door'))
      await world.service.anyone.post('/v1/devices/enroll', { pairing_code: body.pairing_code })
  }
  await world.invite({ email: 'lee@example.com', role: 'auditor' })
  await expect.poll(() => world.hook.bodies.length, { timeout: 20_000 }).toBeGreaterThan(0)
  pages = {
    ...always,
    verification: `/verifications/${completed}`,
    'verification-failed': `/verifications/${failed}`,
    delivery: `/webhooks/${completed}/1`,
  }
  await look({ environment: 'test', name: 'full' })
})

type Look = { environment: string; name: string }

/** Every page in both themes, and then as narrow as a phone. */
async function look({ environment, name }: Look): Promise<void> {
  const { page, strayed, refused } = visitor
  for (const [room, path] of Object.entries(pages)) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/dashboard/${environment}${path}`)
    await page.getByRole('heading', { level: 1, name: titles[room as keyof typeof titles] }).waitFor()
    await expect.poll(() => page.getByText('Loading', { exact: true }).count(), { timeout: 30_000 }).toBe(0)
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      // Once it has settled: what is on its way may be half drawn.
      await expect.poll(() => violations(page), { timeout: 20_000 }).toEqual([])
      await picture(`${room}-${name}-${theme}-1440`)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const wide = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    await picture(`${room}-${name}-light-390`)
    const where = `${environment} ${room}`
    expect({ where, wide, strayed, refused }).toEqual({
      where,
      wide: 0,
      strayed: [],
      refused: [],
    })
  }
}

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return
  await visitor.page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}
