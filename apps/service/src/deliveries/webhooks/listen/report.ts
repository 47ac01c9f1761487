import type { Context } from '../../../engine/context.ts'
import { type Principal, Refusal } from '../../../engine/basics/index.ts'
import { requireTestKey } from './listen.ts'
import { recordForward } from './store.ts'

/** The response of the developer's machine; `status` is 0 if there was none. */
export type ReportForward = { id: string; status: number; duration_ms: number }

/** Logs the outcome of a forward as the listener reports it. It does not complete a delivery. */
export async function reportForward(
  { db }: Pick<Context, 'db'>,
  principal: Principal,
  { id, status, duration_ms }: ReportForward,
): Promise<void> {
  requireTestKey(principal)
  const isSuccess = status >= 200 && status < 300
  const recorded = await recordForward(db, principal.tenant_id, {
    id,
    outcome: isSuccess ? 'delivered' : 'failed',
    status: status === 0 ? null : status,
    duration_ms,
    error: isSuccess ? null : status === 0 ? 'no response' : `responded with status ${status}`,
  })
  if (!recorded)
    throw new Refusal('not_found', 'No forwarded event has this id, or its outcome was already reported.')
}
