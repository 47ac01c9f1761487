import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from './actions.ts'
import { violations } from './axe.ts'
import type { Visitor } from './browser.ts'
import { furnish } from './furnish.ts'
import { picture } from './picture.ts'
import { rooms, type FurnishedRoom, type Room } from './rooms.ts'
import { leave, startWorld, type World } from './world.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const looks: ['dark' | 'light', typeof desk][] = [
  ['dark', desk],
  ['light', desk],
  ['light', phone],
]

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
  await page.setViewportSize(desk)
  await page.goto(`/dashboard/${environment}${path}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
  const show = async ([theme, size]: (typeof looks)[number]) => {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme })
  }
  const draw = async ([theme, { width }]: (typeof looks)[number]) => {
    await picture(page, `${name}-${theme}-${width}`)
    await picture(page, `window-${name}-${theme}-${width}`, false)
  }
  for (const each of looks) {
    await show(each)
    // Once it has settled: what is on its way may be half drawn.
    await expect.poll(() => violations(page)).toEqual([])
    await draw(each)
  }
  // The colours of a wide window, and the shape of a narrow one: nothing new to judge.
  await show(['dark', phone])
  await draw(['dark', phone])
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect({ wide, strayed, refused }).toEqual({ wide: 0, strayed: [], refused: [] })
}
