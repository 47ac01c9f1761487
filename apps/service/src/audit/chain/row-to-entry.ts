import { canonicalize, deriveSalt, textNames, toHex, type Entry, type Texts } from '@vidimus/evidence'
import type { EntryRow, TextsRow } from './store.ts'

/** The entry that a row holds, as it is hashed: made by the same function when it is chained and whenever it is read. */
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

/** The sequencer writes the canonical text of an object. A text that was altered reads as empty, which fits no link. */
function parseDetail(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    const same = typeof value === 'object' && value !== null && canonicalize(value) === text
    return same ? (value as Record<string, unknown>) : {} // an object, by the line above
  } catch {
    // No JSON any more.
    return {}
  }
}

/** The texts of an entry, each with its salt. */
export function rowToTexts(row: Pick<TextsRow, 'secret' | (typeof textNames)[number]>): Texts | undefined {
  return pickPresent((name) => {
    const text = row[name]
    return text === null ? undefined : { salt: toHex(deriveSalt(row.secret, name)), text }
  })
}

/** An object of those names that have a value; undefined when none has. */
function pickPresent<Value>(
  valueOf: (name: (typeof textNames)[number]) => Value | undefined,
): { [Name in (typeof textNames)[number]]?: Value } | undefined {
  const values = textNames.flatMap((name) => {
    const value = valueOf(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}
