import { parts } from './parts/list-parts.ts'
import type { CheckResult } from './run.ts'

const outcomeLabels = { passed: 'ok      ', deviates: 'DEVIATES', not_asked: 'not asked' } as const

/** One line per check, with the detail of a deviation below it. */
export function formatResult({ outcome, ids, title, detail }: CheckResult): string {
  const line = `  ${outcomeLabels[outcome].padEnd(9)} [${ids}] ${title}`
  return detail === undefined ? line : `${line}\n            ${detail}`
}

export function formatHeading(number: number): string {
  return `\nPart ${number}: ${parts.find((part) => part.number === number)?.title ?? ''}`
}

export function formatSummary(results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return `\n${count('passed')} passed, ${count('deviates')} deviate, ${count('not_asked')} not asked`
}
