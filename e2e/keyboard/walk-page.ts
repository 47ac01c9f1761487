import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { actions, type Action, type ActionEffect } from './actions.ts'
import { findViolations } from '../fixture/axe.ts'
import {
  matchesName,
  readFocus,
  listControls,
  exerciseControl,
  skipToContent,
  type FocusStop,
} from './focus.ts'
import { takeScreenshot } from '../fixture/screenshot.ts'
import type { PageName, DashboardPage } from '../fixture/pages.ts'

type PageWalk = {
  /** What has no ring, is covered, or is not in the table. */
  faults: string[]
  /** What is there and was not come by. */
  missed: string[]
  /** What is in the table and was not met. */
  waiting: (string | RegExp)[]
}

/** From the top of a page to its end by Tab, doing to each thing what the table says of it. */
export async function walkPage(page: Page, name: PageName, target: DashboardPage): Promise<PageWalk> {
  await openPage(page, target)
  await skipToContent(page)
  const waiting = new Set<Action>(actions[name])
  const visited = new Set<string>()
  const faults: string[] = []
  for (let steps = 1; ; steps += 1) {
    await page.keyboard.press('Tab')
    const at = await readFocus(page)
    if (at?.where !== 'main') break
    visited.add(describeStop(at))
    if (!at.marked) faults.push(`${at.name} has the focus and does not show it`)
    if (!at.seen) faults.push(`${at.name} has the focus and is covered`)
    if (at.kind === 'link' || at.kind === 'button') {
      const action = actions[name].find(([each]) => matchesName(each, at.name))
      if (action === undefined) faults.push(`${at.name} has no line in actions.ts`)
      if (action === undefined || !waiting.delete(action)) continue
      await performAction(page, name, at, action[1])
      if ('leads' in action[1]) await returnToStop(page, target, steps)
      // What shows something hides it now.
      visited.add(describeStop(await readFocus(page)))
    } else {
      const there = await listControls(page, '#main')
      await exerciseControl(page, at)
      // A filter reads the list again.
      await expect.poll(async () => (await listControls(page, '#main')).length).toBe(there.length)
    }
  }
  const missed = (await listControls(page, '#main')).filter((each) => !visited.has(each))
  return { faults, missed, waiting: [...waiting].map(([each]) => each) }
}

export async function openPage(page: Page, { path, title }: DashboardPage): Promise<void> {
  await page.goto(`/dashboard/test${path}`)
  await waitUntilLoaded(page, title)
}

async function waitUntilLoaded(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
}

function describeStop(at: FocusStop | undefined): string {
  return at === undefined ? 'nothing' : `${at.kind}: ${at.name}`
}

async function performAction(
  page: Page,
  target: string,
  at: FocusStop,
  outcome: ActionEffect,
): Promise<void> {
  if ('dialog' in outcome) return checkDialog(page, `${target} ${at.name}`, at, outcome.dialog)
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
    expect(await readFocus(page), `the focus after ${at.name}`).toMatchObject({ where: 'main' })
  }
}

/** Back from where a link led, and to the place in the order that the link has. */
async function returnToStop(page: Page, { title }: DashboardPage, steps: number): Promise<void> {
  await page.goBack()
  await waitUntilLoaded(page, title)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Tab')
}

/** The focus goes in, stays in until Escape, and then is where it was. */
async function checkDialog(
  page: Page,
  name: string,
  opener: FocusStop,
  title: string | RegExp,
): Promise<void> {
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, `dialog-${name.replaceAll(/\W+/g, '-').toLowerCase()}`, false)
  const inside = await listControls(page, '[role=dialog]')
  const visited = new Set<string>()
  for (let step = 0; step < inside.length; step += 1) {
    const at = await readFocus(page)
    expect(at, `in ${String(title)}`).toMatchObject({ where: 'dialog', marked: true, seen: true })
    if (at === undefined) return
    visited.add(describeStop(at))
    await exerciseControl(page, at)
    await page.keyboard.press('Tab')
  }
  expect(inside.filter((each) => !visited.has(each))).toEqual([])
  // After the last comes the first, and before it the last.
  expect(describeStop(await readFocus(page))).toBe(inside[0])
  await page.keyboard.press('Shift+Tab')
  expect(describeStop(await readFocus(page))).toBe(inside.at(-1))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await readFocus(page))?.name).toBe(opener.name)
}
