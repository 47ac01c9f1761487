import { canonicalize, deriveSalt, textNames, toHex, type Entry, type Texts } from '@vidimus/evidence'
import type { EntryWithTextsRow } from './history-store.ts'
import type { EntryRow } from './store.ts'

/** The entry in the form that is hashed. The same function serves chaining and reading. */
export function rowToEntry(row: Omit<EntryRow, 'day' | 'link'>): Entry {
  const { tenant_id, seq, at, action, actor, detail } = row
  const commitments = pickPresent((name) => (row[name] === null ? undefined : toHex(row[name])))
  return {
    action,
    actor,
    at,
    ...(commitments !== undefined && { commitments }),
    ...(detail !== null && { detail: parseDetail(detail) }),
    seq,
    tenant_id,
    v: 1,
  }
}

/** The sequencer stores `detail` as canonical JSON. An altered text becomes an empty object, which matches no link. */
function parseDetail(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    const isCanonical = typeof value === 'object' && value !== null && canonicalize(value) === text
    return isCanonical ? (value as Record<string, unknown>) : {} // an object, checked above
  } catch {
    // No longer JSON.
    return {}
  }
}

/** The texts of an entry with their salts; undefined if they are missing. */
export function rowToTexts(row: EntryWithTextsRow): Texts | undefined {
  const { secret } = row
  if (secret === null) return undefined
  return pickPresent((name) => {
    const text = row[`${name}_text`]
    return text === null ? undefined : { salt: toHex(deriveSalt(secret, name)), text }
  })
}

/** An object of the names that have a value; undefined if none has. */
function pickPresent<Value>(
  read: (name: (typeof textNames)[number]) => Value | undefined,
): { [Name in (typeof textNames)[number]]?: Value } | undefined {
  const values = textNames.flatMap((name) => {
    const value = read(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}
