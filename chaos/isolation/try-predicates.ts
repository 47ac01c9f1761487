import type { Service } from '../../apps/service/test/service.ts'
import { listPredicates, replaceIn, type Predicate } from './list-predicates.ts'
import { markPredicates } from './mark.ts'
import type { Unit } from './unit.ts'

/**
 * A process that takes predicates out of the service, as many at once as it is told the numbers of, and answers with what
 * notices. One world serves for all: each trial enters it anew, and runs those parts of the matrix that meet what is missing.
 */
export type Asked = { numbers: number[] }
/** The part that noticed, and how. Without them nothing did; `met` says how many parts had the chance. */
export type Answered = { met: number; by?: string; fault?: string }

const all = await listPredicates()
const marked = markPredicates(all)
const { units } = await import('./matrix.ts')
const { makeWorld } = await import('./world.ts')
const { sql } = await import('../../apps/service/src/platform/db/sql.ts')
const { runSqlText: runText } = await import('../../apps/service/test/database/clock.ts')

const made = await makeWorld()
const meets = await findMeetings()

process.on('message', ({ numbers }: Asked) => {
  const predicates = all.filter((_, index) => numbers.includes(index))
  void tryWithout(predicates).then((answered) => process.send?.(answered))
})
process.once('disconnect', () => void made[Symbol.asyncDispose]().then(() => process.exit()))
process.send?.('ready')

/** Which predicates each part of the matrix meets. In a service that lacks none it must find no fault. */
async function findMeetings(): Promise<Map<Unit, Set<Predicate>>> {
  await using world = await made.enter()
  const found = new Map<Unit, Set<Predicate>>()
  for (const unit of units) {
    const met = await marked.meet(async () => {
      const { faults } = await unit.run(world)
      if (faults.length > 0) throw new Error(`${unit.name}: ${faults.join(', ')}`)
    })
    found.set(unit, met)
  }
  return found
}

async function tryWithout(predicates: readonly Predicate[]): Promise<Answered> {
  const chosen = units.filter((unit) => predicates.some((each) => meets.get(unit)?.has(each)))
  await using world = await made.enter()
  await spoilFunctions(world.service, predicates)
  marked.takeOut(predicates)
  try {
    for (const { name, run } of chosen) {
      // A service that cannot work without it has noticed too.
      const { faults } = await run(world).catch((error: unknown) => ({
        faults: [`it ended: ${String(error)}`],
      }))
      if (faults[0] !== undefined) return { met: chosen.length, by: name, fault: faults[0] }
    }
    return { met: chosen.length }
  } finally {
    marked.takeOut([])
  }
}

async function spoilFunctions({ ctx }: Service, predicates: readonly Predicate[]): Promise<void> {
  for (const [name, cuts] of Map.groupBy(predicates, (each) => each.in)) {
    if (cuts[0]?.called_as.length === 0) continue
    const [row] = await ctx.db.query<{ source: string }>(
      sql`select pg_get_functiondef(${name}::regprocedure) as source`,
    )
    await runText(
      ctx.db,
      replaceIn(row?.source ?? '', cuts, (each) => each.without(each.text)),
    )
  }
}
