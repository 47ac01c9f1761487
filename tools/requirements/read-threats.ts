import { posix } from 'node:path'
import { idPattern } from './title-ids.ts'

const threatMarks = ['tested', 'partly tested', 'not tested', 'accepted'] as const

/** A test file that a threat names, and the ids that its tests must prove. */
export type ThreatProof = { file: string; ids: string[] }

/** One row of the threat model. `mark` is undefined if the row has none of the known marks. */
export type Threat = {
  number: number
  mark: (typeof threatMarks)[number] | undefined
  proofs: ThreatProof[]
  /** Ids that follow no test file or have no brackets. */
  strayIds: string[]
}

const row = /^\| (\d+) \| (?:any|[A-Z](?:, [A-Z])*) \| .+ \| .+ \| (.+) \|$/gm
const token = new RegExp(
  String.raw`\[[^\]]+\]\((?<file>[^)]+\.test\.tsx?)\)|\[(?<id>${idPattern})\]|\b(?<bare>${idPattern})\b`,
  'g',
)

/** Reads the rows of the threat model. `folder` is the document's folder, which its links are relative to. */
export function readThreats(document: string, folder: string): Threat[] {
  return [...document.matchAll(row)].map(([, number = '', tests = '']) => ({
    number: Number(number),
    mark: threatMarks.find((mark) => tests === mark || tests.startsWith(`${mark}:`)),
    ...readProofs(tests, folder),
  }))
}

function readProofs(tests: string, folder: string): Pick<Threat, 'proofs' | 'strayIds'> {
  const proofs: ThreatProof[] = []
  const strayIds: string[] = []
  for (const { groups } of tests.matchAll(token)) {
    const { file, id, bare } = groups ?? {}
    if (file !== undefined) proofs.push({ file: posix.join(folder, file), ids: [] })
    else if (id !== undefined && proofs.length > 0) proofs.at(-1)?.ids.push(id)
    else strayIds.push(id ?? bare ?? '')
  }
  return { proofs, strayIds }
}
