import { createHash } from 'node:crypto'
import { isAboutNow } from './is-about-now.ts'

/** A piece of SQL with its values. Only `sql` makes one, so a text that came from a caller can never become a statement. */
export type Sql = { readonly texts: readonly string[]; readonly values: readonly unknown[] }

/** What the driver is given. A named text is planned once for each connection, an unnamed one each time. */
export type Statement = { name?: string; text: string; values: unknown[] }

const maxNames = 2000
const fragments = new WeakSet<Sql>()
/** Those with a day in their text for which no plan is kept. */
const unnamedFragments = new WeakSet<Sql>()
const names = new Map<string, string>()

/** Writes SQL: `${value}` becomes a parameter, `${sql`…`}` is spliced in. */
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
  const fragment = { texts, values }
  fragments.add(fragment)
  if (inserts.some((insert) => isSql(insert) && unnamedFragments.has(insert))) unnamedFragments.add(fragment)
  return fragment
}

/**
 * A day written into the text, so that the planner sees the one partition it names and neither plans nor locks the others.
 * The plan is made anew each time, which suits a page whose best plan depends on its values.
 */
export function dayLiteral(day: string): Sql {
  const fragment = dayFragment(day)
  unnamedFragments.add(fragment)
  return fragment
}

/**
 * The same where one plan suits all values, as in a look-up by id: for a day about now, which is nearly always the one, it
 * is kept. For every day that a caller can think of it is not; and no connection is kept for many days.
 */
export function cachedDayLiteral(day: string): Sql {
  return isAboutNow(day) ? dayFragment(day) : dayLiteral(day)
}

function dayFragment(day: string): Sql {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new TypeError('not a day')
  const fragment = { texts: [`date '${day}'`], values: [] }
  fragments.add(fragment)
  return fragment
}

/** Every text is planned under its own name, once on each connection, except where a day in it forbids that. */
export function toStatement(fragment: Sql): Statement {
  const { texts, values } = fragment
  const text = texts.reduce((joined, part, index) => `${joined}$${index}${part}`)
  if (unnamedFragments.has(fragment)) return { text, values: [...values] }
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    // Days pass: their texts are not kept for ever. A name that is made again is the same.
    if (names.size >= maxNames) names.clear()
    names.set(text, name)
  }
  return { name, text, values: [...values] }
}

function isSql(insert: unknown): insert is Sql {
  return typeof insert === 'object' && insert !== null && fragments.has(insert as Sql)
}
