import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from './actions.ts'
import { violations } from './axe.ts'
import type { Visitor } from './browser.ts'
import { furnish } from './furnish.ts'
import { picture } from './picture.ts'
import { rooms, type FurnishedRoom, type Room } from './rooms.ts'
import { leave, startWorld, type World } from './world.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

let world: World
let visitor: Visitor
let furnished: Record<FurnishedRoom, Room>

beforeAll(async () => {
  world = await startWorld()
  visitor = await world.enter({ email: 'marta.keller@harbour.example' })
  furnished = await furnish(world)
})
afterAll(() => leave(world))

test.for(Object.keys(rooms) as (keyof typeof rooms)[])(
  'empty, the page teaches, keeps to the rules of access and policy, and fits a phone: %s',
  // The live environment has nothing in it.
  (name) => look({ environment: 'live', name: `${name}-empty`, room: rooms[name] }),
)

test.for(Object.keys(actions) as FurnishedRoom[])(
  'full, the page keeps to the rules of access and policy, and fits a phone: %s',
  (name) => look({ environment: 'test', name: `${name}-full`, room: furnished[name] }),
)

type Look = { environment: string; name: string; room: Room }

/** A page as wide as a desk and as narrow as a phone, in both themes. */
async function look({ environment, name, room: { path, title } }: Look): Promise<void> {
  const { page, strayed, refused } = visitor
  await page.setViewportSize(sizes[0])
  await page.goto(`/dashboard/${environment}${path}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      // Once it has settled: what is on its way may be half drawn.
      await expect.poll(() => violations(page)).toEqual([])
      await picture(page, `${name}-${theme}-${size.width}`)
      await picture(page, `window-${name}-${theme}-${size.width}`, false)
    }
  }
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect({ wide, strayed, refused }).toEqual({ wide: 0, strayed: [], refused: [] })
}
