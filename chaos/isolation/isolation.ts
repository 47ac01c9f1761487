import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { exemptions, findExemption } from './predicates/exemptions.ts'
import { listPredicates, type Predicate } from './predicates/list-predicates.ts'
import { runMatrix } from './matrix.ts'
import { startTrialProcess } from './predicates/trial-process.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** Every route × every id that is not the caller's × every kind of caller. `lost` counts responses that differ from "does not exist". */
export const isolationMatrix: ChaosRun = async () => {
  const { cells, faults } = await runMatrix()
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  return { name: 'isolation', faults: cells, acknowledged: cells, lost: faults.length, duplicated: 0 }
}

/**
 * Removes every tenant predicate in turn, each in a separate database, and runs the matrix: does it notice? `lost` counts the
 * predicates whose removal went unnoticed although they are not exempt, and the exempt ones whose removal was noticed.
 */
export const removePredicates: ChaosRun = async ({ n }) => {
  const all = await listPredicates()
  const waiting = sample([...all.map((_, index) => singleTrial(all, index)), ...groupTrials(all)], n)
  const report = { name: 'isolation.predicates', faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  const lines: string[] = []
  await Promise.all(
    Array.from({ length: Math.min(waiting.length, availableParallelism()) }, async () => {
      await using trialProcess = await startTrialProcess()
      for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
        const { reached, caught_by, fault } = await trialProcess.tryWithout(each.numbers)
        const right = (caught_by === undefined) === each.exempted
        report.faults += 1
        report[right ? 'acknowledged' : 'lost'] += 1
        const cause =
          caught_by === undefined ? `nothing; ${reached} parts reached it` : `${caught_by}: ${oneLine(fault)}`
        lines.push(
          `${right ? '' : 'WRONG '}${each.exempted ? 'exempt ' : ''}${each.name}\n    caught by ${cause}`,
        )
        process.stderr.write(`${lines.at(-1)}\n`)
      }
    }),
  )
  await mkdir('.results', { recursive: true })
  await writeFile('.results/predicates.txt', `${lines.toSorted().join('\n')}\n`)
  process.stderr.write(`${all.length} predicates, ${all.filter(isExempt).length} exempt\n`)
  return report
}

function oneLine(text = ''): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 160)
}

type PredicateTrial = { name: string; numbers: number[]; exempted: boolean }

function singleTrial(all: readonly Predicate[], index: number): PredicateTrial {
  const predicate = all[index]
  if (predicate === undefined) throw new Error(`no predicate has the index ${index}`)
  return { name: `${predicate.in}: ${predicate.line}`, numbers: [index], exempted: isExempt(predicate) }
}

/** Predicates that back each other up are removed together, which the matrix must notice. */
function groupTrials(all: readonly Predicate[]): PredicateTrial[] {
  const names = new Set(exemptions.flatMap(({ group }) => group ?? []))
  return [...names].map((name) => {
    const numbers = [...all.keys()].filter((index) => findExemption(all[index])?.group === name)
    if (numbers.length < 2) throw new Error(`the exemption group ${name} needs at least two predicates`)
    return { name: `together: ${name}`, numbers, exempted: false }
  })
}

function isExempt(predicate: Predicate): boolean {
  return findExemption(predicate) !== undefined
}

function sample(trials: readonly PredicateTrial[], n = trials.length): PredicateTrial[] {
  const step = Math.max(1, Math.floor(trials.length / n))
  return trials.filter((_, index) => index % step === 0).slice(0, n)
}
