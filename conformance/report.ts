import { parts } from './parts/list-parts.ts'
import type { CheckResult } from './run.ts'

const outcomeLabels = { passed: 'ok', deviates: 'DEVIATES', skipped: 'skipped' } as const

/** One line per check, with the detail of a deviation below it. */
export function formatResult({ outcome, ids, title, detail }: CheckResult): string {
  const labels = ids.map((id) => `[${id}]`).join(' ')
  const line = `  ${outcomeLabels[outcome].padEnd(9)} ${labels} ${title}`
  return detail === undefined ? line : `${line}\n            ${detail}`
}

export function formatHeading(number: number): string {
  return `\nPart ${number}: ${parts.find((part) => part.number === number)?.title ?? ''}`
}

export function formatSummary(results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return `\n${count('passed')} passed, ${count('deviates')} deviate, ${count('skipped')} skipped`
}
