import type { Service } from '../../../apps/service/test/service.ts'
import { listPredicates, replacePredicates, type Predicate } from './list-predicates.ts'
import { markPredicates } from './mark-predicates.ts'
import type { MatrixPart } from '../matrix-part.ts'

/**
 * A process that takes predicates out of the service, as many at once as it is told the numbers of, and answers with what
 * notices. One world serves for all: each trial enters it anew, and runs those parts of the matrix that meet what is missing.
 */
export type TrialRequest = { numbers: number[] }
/** The part that noticed, and how. Without them nothing did; `met` says how many parts had the chance. */
export type TrialResult = { reached: number; caught_by?: string; fault?: string }

const all = await listPredicates()
const markedPredicates = markPredicates(all)
const { matrixParts: units } = await import('../matrix.ts')
const { createFixtureTemplate: makeWorld } = await import('../fixture/isolation-fixture.ts')
const { sql } = await import('../../../apps/service/src/platform/db/sql.ts')
const { runSqlText: runText } = await import('../../../apps/service/test/database/clock.ts')

const template = await makeWorld()
const reachedByPart = await findReachedPredicates()

process.on('message', ({ numbers }: TrialRequest) => {
  const predicates = all.filter((_, index) => numbers.includes(index))
  void tryWithout(predicates).then((answered) => process.send?.(answered))
})
process.once('disconnect', () => void template[Symbol.asyncDispose]().then(() => process.exit()))
process.send?.('ready')

/** Which predicates each part of the matrix meets. In a service that lacks none it must find no fault. */
async function findReachedPredicates(): Promise<Map<MatrixPart, Set<Predicate>>> {
  await using fixture = await template.open()
  const found = new Map<MatrixPart, Set<Predicate>>()
  for (const unit of units) {
    const reached = await markedPredicates.findReached(async () => {
      const { faults } = await unit.run(fixture)
      if (faults.length > 0) throw new Error(`${unit.name}: ${faults.join(', ')}`)
    })
    found.set(unit, reached)
  }
  return found
}

async function tryWithout(predicates: readonly Predicate[]): Promise<TrialResult> {
  const chosen = units.filter((unit) => predicates.some((each) => reachedByPart.get(unit)?.has(each)))
  await using fixture = await template.open()
  await rewriteFunctions(fixture.service, predicates)
  markedPredicates.remove(predicates)
  try {
    for (const { name, run } of chosen) {
      // A service that cannot work without it has noticed too.
      const { faults } = await run(fixture).catch((error: unknown) => ({
        faults: [`it ended: ${String(error)}`],
      }))
      if (faults[0] !== undefined) return { reached: chosen.length, caught_by: name, fault: faults[0] }
    }
    return { reached: chosen.length }
  } finally {
    markedPredicates.remove([])
  }
}

async function rewriteFunctions({ ctx }: Service, predicates: readonly Predicate[]): Promise<void> {
  for (const [name, cuts] of Map.groupBy(predicates, (each) => each.in)) {
    if (cuts[0]?.called_as.length === 0) continue
    const [row] = await ctx.db.query<{ source: string }>(
      sql`select pg_get_functiondef(${name}::regprocedure) as source`,
    )
    await runText(
      ctx.db,
      replacePredicates(row?.source ?? '', cuts, (each) => each.without(each.text)),
    )
  }
}
