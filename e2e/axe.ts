import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const script = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds against WCAG 2.2 AA on the page as it stands, a line to a finding. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(script)
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`,
  )) as string[]
  return found
}
