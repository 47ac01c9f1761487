import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from './actions.ts'
import { violations } from './axe.ts'
import type { Visitor } from './browser.ts'
import { furnish } from './furnish.ts'
import { focused, reach } from './keyboard.ts'
import { picture } from './picture.ts'
import type { FurnishedRoom, Room } from './rooms.ts'
import { open, walk } from './walk.ts'
import { leave, startWorld, type World } from './world.ts'

let world: World
let visitor: Visitor
let rooms: Record<FurnishedRoom, Room>

beforeAll(async () => {
  world = await startWorld()
  visitor = await world.enter()
  rooms = await furnish(world)
  await visitor.changeAuthenticator()
})
afterAll(() => leave(world))

test.for(Object.keys(actions) as FurnishedRoom[])(
  'by keyboard alone everything on the page is reached, seen and operated: %s',
  async (room) => {
    const told = await walk(visitor.page, room, rooms[room])
    expect(told).toEqual({ faults: [], missed: [], waiting: [] })
  },
)

const pages = [
  'Overview',
  'Verifications',
  'Templates',
  'Devices',
  'API keys',
  'Webhooks',
  'Usage',
  'Audit',
  'Team',
  'Settings',
]

test('by keyboard alone: every page from every page, the other environment, the theme', async () => {
  const { page } = visitor
  await open(page, rooms.overview)
  await page.keyboard.press('Tab')
  const around: string[] = []
  for (let at = await focused(page); at?.where === 'shell'; at = await focused(page)) {
    await expect.poll(() => focused(page)).toMatchObject({ marked: true, seen: true })
    around.push(at.name)
    await page.keyboard.press('Tab')
  }
  const account = 'Harbour Wines Marta Keller, owner'
  expect(around).toEqual([
    'Skip to the content',
    'Vidimus, overview',
    'Test',
    'Live',
    ...pages,
    'API reference',
    account,
  ])
  for (const title of ['Live', 'Test', ...pages.slice(1), 'Overview', 'Devices', 'Vidimus, overview']) {
    await reach(page, title, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const arrived = pages.includes(title) ? title : 'Overview'
    await page.getByRole('heading', { level: 1, name: arrived }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  }

  await reach(page, account, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await focused(page))?.where).toBe('menu')
  await expect.poll(() => violations(page)).toEqual([])
  await picture(page, 'menu-account', false)
  for (const [name, theme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
    ['As the system', undefined],
  ] as const) {
    await reach(page, name, name === 'Dark' ? 'ArrowDown' : 'ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
  }
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await focused(page))?.name).toBe(account)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await focused(page))?.where).toBe('menu')
  await reach(page, 'Your account', 'ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await reach(page, 'API reference', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/docs/)
})

test('by keyboard alone: the menu of a narrow window', async () => {
  const { page } = visitor
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, rooms.overview)
  await reach(page, 'Open the menu')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  await expect.poll(() => violations(page)).toEqual([])
  await picture(page, 'dialog-menu-390', false)
  await reach(page, 'Devices')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  await reach(page, 'Open the menu', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  await reach(page, /^Harbour Wines/)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await focused(page))?.where).toBe('menu')
  await expect.poll(() => violations(page)).toEqual([])
  await picture(page, 'menu-account-390', false)
  await reach(page, 'Sign out', 'ArrowDown')
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await focused(page))?.name).toMatch(/^Harbour Wines/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(async () => (await focused(page))?.name).toBe('Open the menu')
})
