import type { Database, Db } from '../db/open.ts'
import { Refusal } from '../basics/refusal.ts'
import type { RecordKeys } from './rewrap.ts'
import { countSealed, listRingKeys, markRetired } from './sealed-values-store.ts'

/** Every process reloads the ring more often than this, so that none seals with an older key any longer. */
export const keySettles_seconds = 300

/** A key of the ring and how many values it seals. */
export type DescribedKey = {
  id: number
  purpose: 'sealing' | 'hashing' | "another cell's hashing"
  created_at: string
  retired_at?: string
  state: 'seals' | 'unseals' | 'hashes' | 'retired'
  sealed_values: number
}

/** The keys of the ring, oldest first. */
export async function listKeys(db: Db): Promise<DescribedKey[]> {
  const [keys, counts] = [await listRingKeys(db), await countSealed(db)]
  const newest = Math.max(...keys.filter(({ purpose }) => purpose === 'seal').map(({ id }) => id))
  return keys.map(({ id, purpose, created_at, retired_at }) => ({
    id,
    purpose: ({ mac: 'hashing', seal: 'sealing', carried_mac: "another cell's hashing" } as const)[purpose],
    created_at,
    ...(retired_at !== null && { retired_at }),
    state:
      retired_at !== null ? 'retired' : purpose !== 'seal' ? 'hashes' : id === newest ? 'seals' : 'unseals',
    sealed_values: counts.get(id) ?? 0,
  }))
}

/**
 * Removes the bytes of a sealing key for good. Nothing may be sealed under it: the count and the retirement are one transaction, and values that
 * are being sealed meanwhile are either counted or refused.
 */
export async function retireKey(db: Database, id: number, record?: RecordKeys): Promise<void> {
  await db.transaction(async (tx) => {
    const keys = await listRingKeys(tx)
    const key = keys.find((each) => each.id === id)
    if (key === undefined) throw refuse(`The key ring has no key ${id}.`)
    if (key.retired_at !== null) throw refuse(`Key ${id} is already retired.`)
    if (key.purpose !== 'seal')
      throw refuse(`Key ${id} hashes: it cannot be replaced, because values are looked up by their hash.`)
    const successor = keys.find((each) => each.purpose === 'seal' && each.id > id)
    if (successor === undefined) throw refuse(`Key ${id} seals. Run \`vidimus keyring rotate\` first.`)
    if (successor.age_seconds < keySettles_seconds)
      throw refuse(
        `Key ${successor.id} is ${Math.floor(successor.age_seconds)} s old: processes may still seal with key ${id}. Try again ${keySettles_seconds} s after the rotation.`,
      )
    await markRetired(tx, id)
    const sealed = (await countSealed(tx)).get(id) ?? 0
    if (sealed > 0)
      throw refuse(
        `Key ${id} still seals ${sealed} values. A running \`vidimus work\` seals them again under the newest key.`,
      )
    await record?.(tx, { change: 'retired', key: id })
  })
}

function refuse(message: string): Refusal {
  return new Refusal('invalid_request', message)
}
