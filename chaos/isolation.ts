import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exempt, type Exempt } from './isolation/exempt.ts'
import { listPredicates, type Predicate } from './isolation/list-predicates.ts'
import { runMatrix } from './isolation/matrix.ts'
import type { Chaos } from './run.ts'

/** Every route x every id that is not the caller's x every kind of caller. `lost` counts what differs from "does not exist". */
export const isolation: Chaos = async () => {
  const { cells, faults } = await runMatrix()
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  return { name: 'isolation', faults: cells, acknowledged: cells, lost: faults.length, duplicated: 0 }
}

/**
 * Is every predicate on the tenant needed, and does the matrix see it? Each is taken out in turn, in a process and a database
 * of its own. `lost` counts those that the matrix did not miss and that are not exempt, with a reason, and the exempt that
 * it did miss.
 */
export const predicates: Chaos = async ({ n }) => {
  const all = await listPredicates()
  const waiting = sample([...all.map(aloneOf), ...togetherOf(all)], n)
  const ledger = { name: 'isolation.predicates', faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  const tried: object[] = []
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
        const found = await tryWithout(each.predicate)
        tried.push({ ...each, found })
        ledger.faults += 1
        if (found.length > 0 !== each.spared) ledger.acknowledged += 1
        else {
          ledger.lost += 1
          const said = each.spared ? `is exempt and was missed: ${found[0]}` : 'was not missed'
          process.stderr.write(`${each.predicate.in}: ${each.predicate.line} ${said}\n`)
        }
      }
    }),
  )
  await mkdir('.results', { recursive: true })
  await writeFile('.results/predicates.json', `${tried.map((each) => JSON.stringify(each)).join('\n')}\n`)
  process.stderr.write(`${all.length} predicates, ${all.filter(isExempt).length} exempt\n`)
  return ledger
}

type Trial = { predicate: Predicate; spared: boolean }

function aloneOf(predicate: Predicate): Trial {
  return { predicate, spared: isExempt(predicate) }
}

/** Those that stand in for each other are taken out at once: then nothing may be left of them. */
function togetherOf(all: readonly Predicate[]): Trial[] {
  const names = new Set(exempt.flatMap(({ together }) => together ?? []))
  return [...names].map((name) => {
    const members = all.filter((each) => exemptionOf(each)?.together === name)
    const [first] = members
    if (first === undefined) throw new Error(`nothing is exempt as ${name}`)
    return { predicate: { ...first, cuts: members.flatMap(({ cuts }) => cuts) }, spared: false }
  })
}

function isExempt(predicate: Predicate): boolean {
  return exemptionOf(predicate) !== undefined
}

function exemptionOf(predicate: Predicate): Exempt | undefined {
  return exempt.find(({ in: where, line }) => predicate.in.startsWith(where) && predicate.line === line)
}

const trial = fileURLToPath(new URL('./isolation/try-predicate.ts', import.meta.url))

/** What the matrix finds in a service that has lost a predicate. */
export async function tryWithout(predicate: Predicate): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [trial], {
    env: { ...process.env, PREDICATE: JSON.stringify(predicate) },
  })
  return JSON.parse(stdout)
}

function sample(trials: readonly Trial[], n = trials.length): Trial[] {
  const step = Math.max(1, Math.floor(trials.length / n))
  return trials.filter((_, index) => index % step === 0).slice(0, n)
}
