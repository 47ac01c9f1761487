import { registerHooks } from 'node:module'
import type { Service } from '../../apps/service/test/service.ts'
import type { Predicate } from './list-predicates.ts'

/**
 * Runs the matrix on a service that has lost one predicate, which comes as JSON in PREDICATE, and prints what it found.
 * The sources on disk stay as they are: a store is changed while it is loaded, a function in the run's own database.
 */
const predicate: Predicate = JSON.parse(process.env['PREDICATE'] ?? '')

if (predicate.kind === 'store') {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(predicate.in)) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString() // a file on disk is read as bytes
      return { ...loaded, source: withoutIt(source) }
    },
  })
}

const { runMatrix } = await import('./matrix.ts')
const { sql } = await import('../../apps/service/src/platform/db/sql.ts')
const { runText } = await import('../../apps/service/test/clock.ts')

async function plant({ ctx }: Service): Promise<void> {
  if (predicate.kind !== 'function') return
  const [row] = await ctx.db.query<{ source: string }>(
    sql`select pg_get_functiondef(${predicate.in}::regprocedure) as source`,
  )
  await runText(ctx.db, withoutIt(row?.source ?? ''))
}

function withoutIt(source: string): string {
  let left = source
  for (const { text, at, put } of predicate.cuts.toSorted((a, b) => b.at - a.at)) {
    if (left.slice(at, at + text.length) !== text) throw new Error(`${text} has moved`)
    left = `${left.slice(0, at)}${put}${left.slice(at + text.length)}`
  }
  return left
}

const faults = await runMatrix({ plant, brief: true }).then(
  ({ faults: found }) => found,
  // A service that cannot work without it has noticed too.
  (error: unknown) => [`the run ended: ${String(error)}`],
)
process.stdout.write(`${JSON.stringify(faults.slice(0, 3))}\n`, () => process.exit())
