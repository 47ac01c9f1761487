import type { Service } from '../../../apps/service/test/service.ts'
import { listPredicates, replacePredicates, type Predicate } from './list-predicates.ts'
import { markPredicates } from './mark-predicates.ts'
import type { MatrixPart } from '../matrix-part.ts'

/**
 * A process that removes the predicates with the given indexes from the service and reports which part of the matrix
 * notices. All trials share one fixture template: each opens a fresh copy and runs the parts that reach those predicates.
 * The arguments name the parts to use; without any, all are used.
 */
export type TrialRequest = { numbers: number[] }
/** The part that noticed and its message; absent if none did. `reached` is the number of parts that reached the predicates. */
export type TrialResult = { reached: number; caught_by?: string; fault?: string }

const all = await listPredicates()
const markedPredicates = markPredicates(all)
const { matrixParts } = await import('../matrix.ts')
const names = process.argv.slice(2)
const usedParts = matrixParts.filter(({ name }) => names.length === 0 || names.includes(name))
if (names.length > 0 && usedParts.length !== names.length)
  throw new Error(`the matrix lacks one of the parts ${names.join(', ')}`)
const { createFixtureTemplate } = await import('../fixture/isolation-fixture.ts')
const { sql } = await import('../../../apps/service/src/engine/db/sql.ts')
const { runSqlText } = await import('../../../apps/service/test/database/clock.ts')

const template = await createFixtureTemplate()
const reachedByPart = await findReachedPredicates()

process.on('message', ({ numbers }: TrialRequest) => {
  const predicates = all.filter((_, index) => numbers.includes(index))
  void tryWithout(predicates).then((responded) => process.send?.(responded))
})
process.once('disconnect', () => void template[Symbol.asyncDispose]().then(() => process.exit()))
process.send?.('ready')

/** Finds the predicates that each part of the matrix reaches. With all predicates in place no part may fail. */
async function findReachedPredicates(): Promise<Map<MatrixPart, Set<Predicate>>> {
  await using fixture = await template.open()
  const found = new Map<MatrixPart, Set<Predicate>>()
  for (const part of usedParts) {
    const reached = await markedPredicates.findReached(async () => {
      const { faults } = await part.run(fixture)
      if (faults.length > 0) throw new Error(`${part.name}: ${faults.join(', ')}`)
    })
    found.set(part, reached)
  }
  return found
}

async function tryWithout(predicates: readonly Predicate[]): Promise<TrialResult> {
  const chosen = usedParts.filter((part) => predicates.some((each) => reachedByPart.get(part)?.has(each)))
  await using fixture = await template.open()
  await rewriteFunctions(fixture.service, predicates)
  markedPredicates.remove(predicates)
  try {
    for (const { name, run } of chosen) {
      // An exception counts as noticed too.
      const { faults } = await run(fixture).catch((error: unknown) => ({
        faults: [`failed with ${String(error)}`],
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
    await runSqlText(
      ctx.db,
      replacePredicates(row?.source ?? '', cuts, (each) => each.removed(each.text)),
    )
  }
}
