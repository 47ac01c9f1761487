import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../../apps/service/src/engine/db/open.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { createTestDatabase } from '../../../apps/service/test/database/test-database.ts'

/** A condition on the tenant in an SQL statement. */
export type Predicate = {
  /** A store's path, or an SQL function. */
  in: string
  /** The names of the SQL function and of its callers, as they appear in statements; empty for a store. */
  called_as: readonly string[]
  /** The whole line of source, to find it by. */
  line: string
  text: string
  offset: number
  /** The replacement without the condition. It keeps the values, so that parameters keep their numbers. */
  removed: (text: string) => string
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const oneOf = String.raw`\$\{oneOf\(sql\x60\$\{[^}]*\}::uuid\[\]\x60\)\}`
const value = String.raw`(?:${oneOf}|\$\{[^}]*\}|any ?\((?:\$\{[^}]*\}::uuid\[\]|\w+)\)|[\w.]+)`
const comparison = new RegExp(
  [
    String.raw`(?:\b\w+\.)?\btenant_id = ${value}`,
    String.raw`\btenants\.id = (?:\$\{[^}]*\}|\w+\.tenant_id)`,
    // The tenants table itself, whose primary key is the tenant.
    String.raw`(?<=\b(?:from|update) tenants\b[^\x60]*?\bwhere )id = ${value}`,
  ].join('|'),
  'g',
)
const join = /using \(tenant_id(?:, (\w+))?\)/g

/** Lists the tenant predicates in every store and every SQL function. */
export async function listPredicates(): Promise<Predicate[]> {
  const stores = globSync('apps/service/src/**/*store.ts', { cwd: root })
    .toSorted()
    .map((path) => ({ in: path, called_as: [], source: readFileSync(`${root}${path}`, 'utf8') }))
  const functions = await readFunctions()
  return [
    ...stores,
    ...functions.map((each) => ({ ...each, called_as: findCallers(each.name, functions) })),
  ].flatMap(({ in: where, called_as, source }) =>
    findPredicates(source).map((found) => ({ in: where, called_as, ...found })),
  )
}

function findPredicates(source: string): Pick<Predicate, 'line' | 'text' | 'offset' | 'removed'>[] {
  const found = [
    ...Array.from(source.matchAll(comparison), ({ 0: text, index: offset }) => ({
      text,
      offset,
      removed: (kept: string) => `(${kept} or true)`,
    })),
    ...Array.from(source.matchAll(join), ({ 0: text, 1: other, index: offset }) => ({
      text,
      offset,
      removed: () => (other === undefined ? 'on true' : `using (${other})`),
    })),
  ]
  return found.map((each) => {
    // Half a template literal would break the source and so be detected for the wrong reason.
    if (each.text.split('\x60').length % 2 === 0) throw new Error(`incomplete predicate: ${each.text}`)
    return { ...each, line: lineAt(source, each.offset) }
  })
}

/** Replaces predicates in a source text. */
export function replacePredicates<Place extends Pick<Predicate, 'text' | 'offset'>>(
  source: string,
  places: readonly Place[],
  replace: (place: Place) => string,
): string {
  let result = source
  for (const place of places.toSorted((a, b) => b.offset - a.offset)) {
    const { text, offset } = place
    if (result.slice(offset, offset + text.length) !== text)
      throw new Error(`expected ${text} at offset ${offset}`)
    result = `${result.slice(0, offset)}${replace(place)}${result.slice(offset + text.length)}`
  }
  return result
}

function lineAt(source: string, offset: number): string {
  const end = source.indexOf('\n', offset)
  return source.slice(source.lastIndexOf('\n', offset) + 1, end === -1 ? source.length : end).trim()
}

type DatabaseFunction = { in: string; name: string; source: string }

/** The function itself and all its direct and indirect callers. */
function findCallers(name: string, all: readonly DatabaseFunction[]): string[] {
  const names = new Set([name])
  for (let before = 0; before < names.size;) {
    before = names.size
    for (const each of all)
      if ([...names].some((called) => each.source.includes(`${called}(`))) names.add(each.name)
  }
  return [...names]
}

async function readFunctions(): Promise<DatabaseFunction[]> {
  await using database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 1 })
  try {
    return await db.query<DatabaseFunction>(sql`
      select p.oid::regprocedure::text as in, p.proname as name, pg_get_functiondef(p.oid) as source
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prolang <> 13
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by 1`)
  } finally {
    await db.close()
  }
}
