import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The focused element, as a keyboard user perceives it. */
export type FocusStop = {
  /** Approximately its accessible name. */
  name: string
  kind:
    | 'link'
    | 'button'
    | 'text'
    | 'choice'
    | 'checkbox'
    | 'radio'
    | 'file'
    | 'colour'
    | 'date'
    | 'tab'
    | 'summary'
    | 'text box'
  where: 'main' | 'dialog' | 'menu' | 'shell'
  value: string
  /** Has a focus ring. */
  hasRing: boolean
  /** Is inside the window and not covered. */
  isVisible: boolean
  inert: boolean
}

const script = `
const nameOf = (at) => (at.getAttribute('aria-label') || at.labels?.[0]?.innerText || at.innerText || at.title || '').trim().replace(/\\s+/g, ' ')
const kinds = { checkbox: 'checkbox', radio: 'radio', file: 'file', color: 'colour', date: 'date', 'datetime-local': 'date' }
const kindOf = (at) => {
  if (at.role === 'tab') return 'tab'
  if (at.tagName === 'A') return 'link'
  if (at.tagName === 'BUTTON') return 'button'
  if (at.tagName === 'SUMMARY') return 'summary'
  if (at.tagName === 'SELECT') return 'choice'
  if (at.tagName === 'INPUT' || at.tagName === 'TEXTAREA') return kinds[at.type] ?? 'text'
  return 'text box'
}
const stateOf = (at) => {
  if (at.tagName === 'SUMMARY') return String(at.parentElement.open)
  if (at.type === 'checkbox' || at.type === 'radio') return String(at.checked) + nameOf(at)
  return at.role === 'tab' ? nameOf(at) : (at.value ?? '')
}
const whereOf = (at) =>
  at.closest('[role=menu]') ? 'menu' : at.closest('[role=dialog]') ? 'dialog' : at.closest('#main') ? 'main' : 'shell'
`

const focusedScript = `(() => {
  ${script}
  const at = document.activeElement
  if (at === null || at === document.body) return null
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const box = at.getBoundingClientRect()
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return {
    name: nameOf(at), kind: kindOf(at), where: whereOf(at), value: stateOf(at),
    hasRing: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0,
    isVisible: over !== null && (at.contains(over) || over.contains(at)),
    inert: at.getAttribute('aria-disabled') === 'true',
  }
})()`

export async function readFocus(page: Page): Promise<FocusStop | undefined> {
  return (await page.evaluate<FocusStop | null>(focusedScript)) ?? undefined
}

/** The controls in a part of the page, in document order. A group of radio buttons counts as its checked one. */
export async function listControls(page: Page, part: '#main' | '[role=dialog]' | 'body'): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    ${script}
    const all = [...document.querySelectorAll('${part} :is(a[href], button, input, select, textarea, summary, [tabindex="0"])')]
    return all
      .filter((at) => at.checkVisibility() && at.getBoundingClientRect().width > 0 && !at.disabled)
      .filter((at) => !at.closest('[aria-hidden=true]') && at.tabIndex >= 0)
      .filter((at) => at.role !== 'tablist' && at.role !== 'tabpanel')
      .filter((at) => at.type !== 'radio' || at.checked)
      .map((at) => kindOf(at) + ': ' + nameOf(at))
  })()`)
}

const maxSteps = 90

/** Presses a key until the named control has the focus. */
export async function moveFocusTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<FocusStop> {
  for (let step = 0; step < maxSteps; step += 1) {
    const at = await readFocus(page)
    if (at !== undefined && matchesName(name, at.name)) return at
    await page.keyboard.press(key)
    // A menu moves the focus asynchronously.
    if (key.startsWith('Arrow'))
      await expect.poll(async () => (await readFocus(page))?.name).not.toBe(at?.name)
  }
  throw new Error(`${String(name)} did not get the focus within ${maxSteps} steps`)
}

export function matchesName(name: string | RegExp, text: string): boolean {
  return typeof name === 'string' ? text === name : name.test(text)
}

/** Skips the navigation, to the start of the page's own content. */
export async function skipToContent(page: Page): Promise<void> {
  await moveFocusTo(page, 'Skip to content')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
}

/** Changes the value of a control, checks that it changed, and restores it. */
export async function exerciseControl(page: Page, { kind, value, name }: FocusStop): Promise<void> {
  const change = async (key: string) => {
    await page.keyboard.press(key)
    await expect
      .poll(async () => (await readFocus(page))?.value, { message: `${key} on ${name}` })
      .not.toBe(value)
  }
  const restore = async (key: string) => {
    await page.keyboard.press(key)
    await expect
      .poll(async () => (await readFocus(page))?.value, { message: `${key} on ${name}` })
      .toBe(value)
  }
  switch (kind) {
    case 'text':
      await page.keyboard.press('End')
      await change('x')
      return restore('Backspace')
    case 'checkbox':
      await change('Space')
      return restore('Space')
    case 'summary':
      await change('Enter')
      return restore('Enter')
    case 'radio':
    case 'choice':
      await change('ArrowDown')
      return restore('ArrowUp')
    case 'tab':
      return cycleTabs(page, value)
    case 'file': {
      const chooser = page.waitForEvent('filechooser')
      // This round trip ensures that the listener is installed before the key is pressed.
      await readFocus(page)
      await Promise.all([chooser, page.keyboard.press('Space')])
      return undefined
    }
    case 'link':
    case 'button':
    // A colour input opens the browser's own palette, a date has the browser's own fields; a text box only scrolls.
    case 'colour':
    case 'date':
    case 'text box':
      return undefined
  }
}

/** Moves through the tabs until the first is active again. */
async function cycleTabs(page: Page, first: string): Promise<void> {
  for (let before = first, tab: string | undefined; tab !== first; before = tab ?? '') {
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (tab = (await readFocus(page))?.value)).not.toBe(before)
  }
}
