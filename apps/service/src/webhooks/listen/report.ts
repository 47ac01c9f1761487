import type { Context } from '../../context.ts'
import type { Principal } from '../../platform/principal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { requireTestKey } from './listen.ts'
import { recordForward } from './store.ts'

/** What a developer's machine answered; `status` 0 when nothing did. */
export type ReportForward = { id: string; status: number; duration_ms: number }

/** Puts the outcome of a forward into the log. It is the listener's word, and ends no delivery. */
export async function reportForward(
  { db }: Pick<Context, 'db'>,
  principal: Principal,
  { id, status, duration_ms }: ReportForward,
): Promise<void> {
  requireTestKey(principal)
  const good = status >= 200 && status < 300
  const recorded = await recordForward(db, principal.tenant_id, {
    id,
    outcome: good ? 'delivered' : 'failed',
    status: status === 0 ? null : status,
    duration_ms,
    error: good ? null : status === 0 ? 'nothing answered there' : `answered with status ${status}`,
  })
  if (!recorded)
    throw new Refusal('not_found', 'Nothing of this id was forwarded, or it was reported before.')
}
