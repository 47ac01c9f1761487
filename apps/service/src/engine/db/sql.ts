import { createHash } from 'node:crypto'
import { boundedMap } from '@vidimus/protocol'
import { isAboutNow } from './is-about-now.ts'

/** An SQL fragment with its values. Only `sql` creates one, so text from a caller can never become part of a statement. */
export type Sql = {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  /** The place in the source: the same object each time. */
  readonly template: object
}

/** The input of the driver. A named statement is planned once per connection, an unnamed one every time. */
export type Statement = { name?: string; text: string; values: unknown[] }

/** Texts with past days are not kept for ever. */
const maxNames = 2000
const fragments = new WeakSet<Sql>()
/** Fragments with a day in their text for which no plan is kept. */
const unnamedFragments = new WeakSet<Sql>()
const names = boundedMap<string, string>(maxNames)

/** Builds SQL: `${value}` becomes a parameter, `${sql`…`}` is spliced in. */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const texts = [strings[0] ?? '']
  const values: unknown[] = []
  for (const [index, insert] of inserts.entries()) {
    const following = strings[index + 1] ?? ''
    if (isSql(insert)) {
      texts[texts.length - 1] += insert.texts[0] ?? ''
      texts.push(...insert.texts.slice(1))
      values.push(...insert.values)
      texts[texts.length - 1] += following
    } else {
      values.push(insert)
      texts.push(following)
    }
  }
  const fragment = { texts, values, template: strings }
  fragments.add(fragment)
  if (inserts.some((insert) => isSql(insert) && unnamedFragments.has(insert))) unnamedFragments.add(fragment)
  return fragment
}

/**
 * A day written into the statement's text, so that the planner prunes to one partition and neither plans nor locks the others.
 * The statement is planned every time, which suits a page whose best plan depends on its values.
 */
export function dayLiteral(day: string): Sql {
  const fragment = namedDayLiteral(day)
  unnamedFragments.add(fragment)
  return fragment
}

/**
 * The same where one plan suits all values, as in a lookup by id. The plan is kept for days near today, which nearly all
 * lookups are for, and not for every day that a caller can name. Connections do not live for many days.
 */
export function cachedDayLiteral(day: string): Sql {
  return isAboutNow(day) ? namedDayLiteral(day) : dayLiteral(day)
}

/** The same for a day that no caller can choose: the plan is always kept. */
export function namedDayLiteral(day: string): Sql {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new TypeError('not a day')
  const texts = [`date '${day}'`]
  const fragment = { texts, values: [], template: texts }
  fragments.add(fragment)
  return fragment
}

/** The name of a table or column that a declaration lists. */
export function identifier(name: string): Sql {
  if (!/^[a-z_]+$/.test(name)) throw new TypeError('not a plain identifier')
  const texts = [name]
  const fragment = { texts, values: [], template: texts }
  fragments.add(fragment)
  return fragment
}

/** A statement around another one, which counts as the other's: whoever wrote that sends it. */
export function around(inner: Sql, outer: Sql): Sql {
  return Object.assign(outer, { template: inner.template })
}

/** Names every statement by a hash of its text, so that each connection plans it once, unless a day in it forbids that. */
export function toStatement(fragment: Sql): Statement {
  const { texts, values } = fragment
  const text = texts.reduce((joined, part, index) => `${joined}$${index}${part}`)
  if (unnamedFragments.has(fragment)) return { text, values: [...values] }
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return { name, text, values: [...values] }
}

function isSql(insert: unknown): insert is Sql {
  return typeof insert === 'object' && insert !== null && fragments.has(insert as Sql)
}
