import { posix } from 'node:path'
import { idPattern } from './title-ids.ts'

const threatMarks = ['tested', 'partly tested', 'not tested', 'accepted'] as const

/** One row of the threat model. `mark` is undefined if the row has none of the known marks. */
export type Threat = {
  number: number
  mark: (typeof threatMarks)[number] | undefined
  /** The requirements whose tests prove the defence. */
  ids: string[]
  /** Test files that prove it without an id. */
  files: string[]
}

const row = /^\| (\d+) \| (?:any|[A-Z](?:, [A-Z])*) \| .+ \| .+ \| (.+) \|$/gm
const file = /\]\(([^)]+\.test\.tsx?)\)/g
const requirement = new RegExp(String.raw`\b${idPattern}\b`, 'g')

/** Reads the rows of the threat model. `folder` is the document's folder, which its links are relative to. */
export function readThreats(document: string, folder: string): Threat[] {
  return [...document.matchAll(row)].map(([, number = '', tests = '']) => ({
    number: Number(number),
    mark: threatMarks.find((mark) => tests === mark || tests.startsWith(`${mark}:`)),
    ids: tests.match(requirement) ?? [],
    files: Array.from(tests.matchAll(file), ([, link = '']) => posix.join(folder, link)),
  }))
}
