import type { Context } from '../../engine/context.ts'
import { type RestoredGenerations, restoreGenerations } from '../../devices/index.ts'
import { hashLedgerId } from '../../engine/ledger/index.ts'
import { skipDelivered } from '../../deliveries/index.ts'

export type AppliedNotes = RestoredGenerations & { webhooks_unknown: number }

/**
 * Uses what the ledger noted beside its entries: webhook events that were delivered are not sent again, and devices get back the
 * generation of their newest token. The notes are held in memory, about 100 bytes each; they are kept for days only.
 */
export async function applyNotes({
  db,
  keyring,
  ledger,
}: Pick<Context, 'db' | 'keyring' | 'ledger'>): Promise<AppliedNotes> {
  const delivered = new Set<string>()
  const generations = new Map<string, number>()
  for await (const { kind, hash, generation = 0 } of ledger.readNotes()) {
    const key = hash.toString('latin1')
    if (kind === 'delivered') delivered.add(key)
    if (kind === 'refreshed') generations.set(key, Math.max(generation, generations.get(key) ?? 0))
  }
  const keyOf = (kind: 'delivered' | 'refreshed', id: string) =>
    hashLedgerId(keyring, kind, id).toString('latin1')
  const webhooks_unknown = await skipDelivered({ db }, (event) => delivered.has(keyOf('delivered', event)))
  const restored = await restoreGenerations({ db }, (device) => generations.get(keyOf('refreshed', device)))
  return { webhooks_unknown, ...restored }
}
