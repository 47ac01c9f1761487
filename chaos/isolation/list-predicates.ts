import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../apps/service/src/platform/db/open.ts'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { ownDatabase } from '../../apps/service/test/databases.ts'

/** A place where a statement asks whose row it is, and what stands there when it no longer does. */
export type Predicate = {
  /** A store's path, or a function of the database. */
  in: string
  kind: 'store' | 'function'
  /** The whole line, by which a person finds it. */
  line: string
  cuts: Cut[]
}

type Cut = { text: string; at: number; put: string }

const root = fileURLToPath(new URL('../../', import.meta.url))
const value = String.raw`(?:\$\{[^}]*\}|any ?\((?:\$\{[^}]*\}::uuid\[\]|\w+)\)|[\w.]+)`
const compared = new RegExp(
  String.raw`(?:\b\w+\.)?\btenant_id = ${value}|\btenants\.id = (?:\$\{[^}]*\}|\w+\.tenant_id)|\bid = \$\{tenant_id\}`,
  'g',
)
const joined = /using \(tenant_id(?:, (\w+))?\)/g

/** Every predicate on the tenant, in every store and in every function of the database. */
export async function listPredicates(): Promise<Predicate[]> {
  const stores = globSync('apps/service/src/**/*store.ts', { cwd: root })
    .toSorted()
    .map((path) => ({ in: path, kind: 'store' as const, source: readFileSync(`${root}${path}`, 'utf8') }))
  const functions = (await readFunctions()).map(({ name, source }) => ({
    in: name,
    kind: 'function' as const,
    source,
  }))
  return [...stores, ...functions].flatMap(({ source, ...where }) =>
    predicatesIn(source).map((found) => ({ ...where, ...found })),
  )
}

function predicatesIn(source: string): Pick<Predicate, 'line' | 'cuts'>[] {
  const cuts = [
    ...Array.from(source.matchAll(compared), ({ 0: text, index: at }) => ({ text, at, put: 'true' })),
    ...Array.from(source.matchAll(joined), ({ 0: text, 1: other, index: at }) => ({
      text,
      at,
      put: other === undefined ? 'on true' : `using (${other})`,
    })),
  ]
  return cuts.map((cut) => ({ line: lineAt(source, cut.at), cuts: [cut] }))
}

function lineAt(source: string, at: number): string {
  const end = source.indexOf('\n', at)
  return source.slice(source.lastIndexOf('\n', at) + 1, end === -1 ? source.length : end).trim()
}

async function readFunctions(): Promise<{ name: string; source: string }[]> {
  await using database = await ownDatabase()
  const db = openDatabase({ url: database.url, poolSize: 1 })
  try {
    return await db.query<{ name: string; source: string }>(sql`
      select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as source
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prolang <> 13
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by 1`)
  } finally {
    await db.close()
  }
}
