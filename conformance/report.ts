import { parts } from './parts/list.ts'
import type { Result } from './run.ts'

const marks = { passed: 'ok      ', deviates: 'DEVIATES', not_asked: 'not asked' } as const

/** A line for each check, under the part of the specification that it is from. */
export function lineOf({ outcome, ids, title, detail }: Result): string {
  const line = `  ${marks[outcome].padEnd(9)} [${ids}] ${title}`
  return detail === undefined ? line : `${line}\n            ${detail}`
}

export function headingOf(number: number): string {
  return `\nPart ${number}: ${parts.find((part) => part.number === number)?.title ?? ''}`
}

export function summaryOf(results: readonly Result[]): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  return `\n${count('passed')} passed, ${count('deviates')} deviate, ${count('not_asked')} not asked`
}
