import { limitGroups } from '../../../../tools/limits/groups.ts'
import { renderLimits } from '../../../../tools/limits/render.ts'
import type { Page } from '../read-pages.ts'
import { describeApiErrors, describeChecks, describeDashboardErrors, describeFailures } from './errors.ts'
import { describeSandboxFaults } from './faults.ts'

/** The parts of pages that are written from declarations in the code, by the name of their mark. */
const sections: Record<string, () => string> = {
  'errors of the API': describeApiErrors,
  'errors of the dashboard': describeDashboardErrors,
  failures: describeFailures,
  checks: describeChecks,
  faults: describeSandboxFaults,
  limits: () => renderLimits(limitGroups),
}

/** A mark is a comment and the line after it, which is for readers of the repository. */
const mark = /^<!-- generated: ([^>]+?) -->\n.*$/gm

/** Replaces each mark in a page by the section it names. */
export function fillInSections(page: Page): Page {
  const markdown = page.markdown.replaceAll(mark, (_line, name: string) => {
    const section = sections[name]
    if (section === undefined) throw new Error(`There is no generated section "${name}".`)
    return section()
  })
  return { ...page, markdown }
}
