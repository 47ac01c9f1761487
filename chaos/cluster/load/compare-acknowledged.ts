import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import type { Context } from '../../../apps/service/src/engine/context.ts'
import type { Acknowledgements } from './acknowledgements.ts'

/** How many contradictions there are between what was acknowledged and what is stored. All are 0 in a cluster that keeps its word. */
export type Contradictions = {
  /** Acknowledged creations that are not stored, or that a read did not find. */
  lost: number
  /** Creations that never got a response. */
  pending: number
  /** Keys with two verifications. */
  created_twice: number
  /** The tenant's usage, less the verifications that were created. */
  charged_wrongly: number
  /** Responses of wallets that were acknowledged and are not stored. */
  responses_lost: number
  /** Erased verifications that are stored, that a read found, or that a webhook was sent about. */
  resurrected: number
  readable_after_erasure: number
  sent_after_erasure: number
  /** Results whose webhook did not arrive. */
  webhooks_lost: number
}

/** Joins what was acknowledged to the clients with what is stored and what the receiver of webhooks got. */
export async function compareAcknowledged(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  acknowledgements: Acknowledgements,
): Promise<Contradictions> {
  const { created, pending, responded, erasing, erased, received } = acknowledgements
  const verifications = await db.query<{ id: string; status: string }>(
    sql`select id, status from verification_sessions where tenant_id = ${tenant_id}`,
  )
  const results = await db.query<{ id: string }>(
    sql`select verification_id as id from verification_results where tenant_id = ${tenant_id}`,
  )
  const [usage] = await db.query<{ used: number }>(sql`
    select (select coalesce(sum(used), 0) from tenant_usage where tenant_id = ${tenant_id})::int
      + (select coalesce(sum(used), 0) from usage_days where tenant_id = ${tenant_id})::int as used`)
  const stored = new Map(verifications.map(({ id, status }) => [id, status]))
  const withResult = new Set(results.map(({ id }) => id))
  const ids = Array.from(created.values(), (ofKey) => [...ofKey])
  const kept = [...responded].filter((id) => !erasing.has(id))
  const { not_found, readable_after_erasure, sent_after_erasure } = acknowledgements
  return {
    lost: ids.flat().filter((id) => !stored.has(id) && !erasing.has(id)).length + not_found.length,
    pending: pending.size,
    created_twice: ids.filter((ofKey) => ofKey.length > 1).length,
    charged_wrongly: Math.abs((usage?.used ?? 0) - stored.size - erased.size),
    responses_lost: kept.filter((id) => stored.get(id) !== 'completed' || !withResult.has(id)).length,
    resurrected: [...erased.keys()].filter((id) => stored.has(id) || withResult.has(id)).length,
    readable_after_erasure: readable_after_erasure.length,
    sent_after_erasure: sent_after_erasure.length,
    webhooks_lost: kept.filter((id) => !received.has(id)).length,
  }
}
