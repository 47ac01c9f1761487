import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { programVersion } from '../../basics/version.ts'
import { declaredTables, describeTable } from './tables.ts'

const folder = new URL('../../../../schema/', import.meta.url)

/**
 * A part of the schema that is replaced as a whole: a function, a view, or what follows from the declaration of a table. It is
 * applied again whenever its text changes, so its file always shows what is in force.
 */
export type Definition = {
  name: string
  text: string
  hash: string
  /** The version of this program. */
  version: string
}

export type AppliedDefinition = Omit<Definition, 'text'>

let all: readonly Definition[] | undefined

/** Functions first: views and triggers call them. */
export function definitions(): readonly Definition[] {
  const version = programVersion()
  const define = (name: string, text: string): Definition => ({
    name,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    version,
  })
  return (all ??= [
    ...['functions', 'views'].flatMap((kind) =>
      readdirSync(new URL(`${kind}/`, folder))
        .toSorted()
        .map((file) => define(`${kind}/${file}`, readFileSync(new URL(`${kind}/${file}`, folder), 'utf8'))),
    ),
    ...declaredTables.flatMap((table) => {
      const text = describeTable(table)
      return text === '' ? [] : [define(`tables/${table.name}`, text)]
    }),
  ])
}

/** The definitions that a database lacks or has with an older text. One of a later version stays. */
export function findChanged(applied: readonly AppliedDefinition[]): Definition[] {
  const known = new Map(applied.map((each) => [each.name, each]))
  return definitions().filter(({ name, hash, version }) => {
    const there = known.get(name)
    if (there === undefined) return true
    return there.hash !== hash && there.version.localeCompare(version, 'en', { numeric: true }) <= 0
  })
}

/** The file of a function. */
export function functionText(name: string): string {
  return readFileSync(new URL(`functions/${name}.sql`, folder), 'utf8')
}
