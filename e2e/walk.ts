import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { actions, type Action, type Outcome } from './actions.ts'
import { violations } from './axe.ts'
import { fits, focused, offered, operate, skipToContent, type Stop } from './keyboard.ts'
import { picture } from './picture.ts'
import type { FurnishedRoom, Room } from './rooms.ts'

type Walked = {
  /** What has no ring, is covered, or is not in the table. */
  faults: string[]
  /** What is there and was not come by. */
  missed: string[]
  /** What is in the table and was not met. */
  waiting: (string | RegExp)[]
}

/** From the top of a page to its end by Tab, doing to each thing what the table says of it. */
export async function walk(page: Page, name: FurnishedRoom, room: Room): Promise<Walked> {
  await open(page, room)
  await skipToContent(page)
  const waiting = new Set<Action>(actions[name])
  const met = new Set<string>()
  const faults: string[] = []
  for (let steps = 1; ; steps += 1) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (at?.where !== 'main') break
    met.add(named(at))
    if (!at.marked) faults.push(`${at.name} has the focus and does not show it`)
    if (!at.seen) faults.push(`${at.name} has the focus and is covered`)
    if (at.kind === 'link' || at.kind === 'button') {
      const action = actions[name].find(([each]) => fits(each, at.name))
      if (action === undefined) faults.push(`${at.name} has no line in actions.ts`)
      if (action === undefined || !waiting.delete(action)) continue
      await act(page, name, at, action[1])
      if ('leads' in action[1]) await goOn(page, room, steps)
      // What shows something hides it now.
      met.add(named(await focused(page)))
    } else {
      const there = await offered(page, '#main')
      await operate(page, at)
      // A filter reads the list again.
      await expect.poll(async () => (await offered(page, '#main')).length).toBe(there.length)
    }
  }
  const missed = (await offered(page, '#main')).filter((each) => !met.has(each))
  return { faults, missed, waiting: [...waiting].map(([each]) => each) }
}

export async function open(page: Page, { path, title }: Room): Promise<void> {
  await page.goto(`/dashboard/test${path}`)
  await settle(page, title)
}

async function settle(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
}

function named(at: Stop | undefined): string {
  return at === undefined ? 'nothing' : `${at.kind}: ${at.name}`
}

async function act(page: Page, room: string, at: Stop, outcome: Outcome): Promise<void> {
  if ('dialog' in outcome) return passThroughDialog(page, `${room} ${at.name}`, at, outcome.dialog)
  if ('downloads' in outcome) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(download.suggestedFilename()).toMatch(outcome.downloads)
  }
  if ('leads' in outcome) {
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(outcome.leads)
  }
  if ('shows' in outcome) {
    await page.keyboard.press('Enter')
    await page.getByText(outcome.shows).first().waitFor({ state: 'attached' })
    expect(await focused(page), `the focus after ${at.name}`).toMatchObject({ where: 'main' })
  }
}

/** Back from where a link led, and to the place in the order that the link has. */
async function goOn(page: Page, { title }: Room, steps: number): Promise<void> {
  await page.goBack()
  await settle(page, title)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Tab')
}

/** The focus goes in, stays in until Escape, and then is where it was. */
async function passThroughDialog(
  page: Page,
  name: string,
  opener: Stop,
  title: string | RegExp,
): Promise<void> {
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  await expect.poll(() => violations(page)).toEqual([])
  await picture(page, `dialog-${name.replaceAll(/\W+/g, '-').toLowerCase()}`, false)
  const inside = await offered(page, '[role=dialog]')
  const met = new Set<string>()
  for (let step = 0; step < inside.length; step += 1) {
    const at = await focused(page)
    expect(at, `in ${String(title)}`).toMatchObject({ where: 'dialog', marked: true, seen: true })
    if (at === undefined) return
    met.add(named(at))
    await operate(page, at)
    await page.keyboard.press('Tab')
  }
  expect(inside.filter((each) => !met.has(each))).toEqual([])
  // After the last comes the first, and before it the last.
  expect(named(await focused(page))).toBe(inside[0])
  await page.keyboard.press('Shift+Tab')
  expect(named(await focused(page))).toBe(inside.at(-1))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await focused(page))?.name).toBe(opener.name)
}
