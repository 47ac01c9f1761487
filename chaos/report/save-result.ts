import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { ChaosReport } from '../chaos-run.ts'
import { replaceTables, type SavedResult, type SavedResults } from './tables.ts'

const results = new URL('../../docs/operate/reliability.json', import.meta.url)
const document = new URL('../../docs/operate/reliability.md', import.meta.url)

/** `npm run chaos -- NAME --report`: keeps the result in docs/operate/reliability.json, instead of an earlier one, and writes reliability.md. */
export function saveResult(report: ChaosReport): void {
  const saved: SavedResults = JSON.parse(readFileSync(results, 'utf8'))
  saved[report.name] = { ...report, ...describeMachine() }
  const sorted = Object.fromEntries(
    Object.entries(saved).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  writeFileSync(results, `${JSON.stringify(sorted, undefined, 2)}\n`)
  writeFileSync(document, replaceTables(readFileSync(document, 'utf8'), sorted))
}

function describeMachine(): Pick<SavedResult, 'at' | 'commit' | 'machine' | 'load_average'> {
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim()
  const memory_gib = Math.round(totalmem() / 2 ** 30)
  return {
    at: new Date().toISOString().slice(0, 16),
    commit,
    machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${memory_gib} GiB`,
    load_average: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
