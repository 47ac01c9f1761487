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
import { openPage, waitUntilLoaded, type PageName, type DashboardPage } from '../fixture/pages.ts'

type PageWalk = {
  /** Controls without a focus ring, covered, or missing in `actions`. */
  problems: string[]
  /** Controls that Tab did not reach. */
  unreached: string[]
  /** Actions whose control is not on the page. */
  unmatched: (string | RegExp)[]
}

/** Tabs through a page from top to bottom and performs the expected action on each control. */
export async function walkPage(page: Page, name: PageName, target: DashboardPage): Promise<PageWalk> {
  await openPage(page, target)
  await skipToContent(page)
  const unmatched = new Set<Action>(actions[name])
  const visited = new Set<string>()
  const problems: string[] = []
  for (let steps = 1; ; steps += 1) {
    await page.keyboard.press('Tab')
    let stop = await readFocus(page)
    // A message that covers the control moves away as soon as the browser has scrolled, on a busy machine some frames later.
    for (let waits = 0; stop?.isVisible === false && waits < 10; waits += 1) {
      await page.waitForTimeout(100)
      stop = await readFocus(page)
    }
    if (stop?.where !== 'main') break
    visited.add(describeStop(stop))
    if (!stop.hasRing) problems.push(`${stop.name} shows no focus ring`)
    if (!stop.isVisible) problems.push(`${stop.name} is covered while it has the focus`)
    if (stop.kind === 'link' || stop.kind === 'button') {
      const action = actions[name].find(([each]) => matchesName(each, stop.name))
      if (action === undefined) problems.push(`${stop.name} is missing in actions.ts`)
      if (action === undefined || !unmatched.delete(action)) continue
      await performAction(page, name, stop, action[1])
      if ('leads' in action[1]) await returnToStop(page, target, stop, steps)
      // A button that showed something may now hide it, under another name.
      visited.add(describeStop(await readFocus(page)))
    } else {
      const before = await listControls(page, '#main')
      await exerciseControl(page, stop)
      // A filter refetches the list.
      await expect.poll(async () => (await listControls(page, '#main')).length).toBe(before.length)
    }
  }
  const unreached = (await listControls(page, '#main')).filter((each) => !visited.has(each))
  return { problems, unreached, unmatched: [...unmatched].map(([each]) => each) }
}

function describeStop(stop: FocusStop | undefined): string {
  return stop === undefined ? 'nothing' : `${stop.kind}: ${stop.name}`
}

async function performAction(
  page: Page,
  pageName: string,
  stop: FocusStop,
  effect: ActionEffect,
): Promise<void> {
  if ('dialog' in effect) return checkDialog(page, `${pageName} ${stop.name}`, stop, effect.dialog)
  if ('downloads' in effect) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(download.suggestedFilename()).toMatch(effect.downloads)
  }
  if ('leads' in effect) {
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(effect.leads)
  }
  if ('shows' in effect) {
    await page.keyboard.press('Enter')
    await page.getByText(effect.shows).first().waitFor({ state: 'attached' })
    await expect
      .poll(() => readFocus(page), { message: `the focus after ${stop.name}` })
      .toMatchObject({ where: 'main' })
  }
}

/** Goes back from where a control led and returns to it in the tab order. On the same page the focus has never left it. */
async function returnToStop(
  page: Page,
  { title }: DashboardPage,
  { name }: FocusStop,
  steps: number,
): Promise<void> {
  const { pathname } = new URL(page.url())
  await page.goBack()
  await waitUntilLoaded(page, title)
  if (new URL(page.url()).pathname === pathname) {
    await expect.poll(async () => (await readFocus(page))?.name).toBe(name)
    return
  }
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Tab')
}

/** Stops within controls, such as day, month and year of a date. */
const maxInnerStops = 20

/** The focus moves into the dialog, stays there until Escape, and then returns to where it was. */
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
  let last: string | undefined
  for (let step = 0; step < inside.length + maxInnerStops && last !== inside.at(-1); step += 1) {
    const stop = await readFocus(page)
    expect(stop, `in ${String(title)}`).toMatchObject({ where: 'dialog', hasRing: true, isVisible: true })
    if (stop === undefined) return
    // The parts of a date are stops of one control.
    if (describeStop(stop) !== last) await exerciseControl(page, stop)
    last = describeStop(stop)
    visited.add(last)
    await page.keyboard.press('Tab')
  }
  expect(inside.filter((each) => !visited.has(each))).toEqual([])
  // The tab order wraps around in both directions.
  expect(describeStop(await readFocus(page))).toBe(inside[0])
  await page.keyboard.press('Shift+Tab')
  expect(describeStop(await readFocus(page))).toBe(inside.at(-1))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await readFocus(page))?.name).toBe(opener.name)
}
