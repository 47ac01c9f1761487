import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { forgetResults } from './store.ts'

/**
 * Deletes results that were to be kept only until delivered (RET-3): the last step of the transaction that delivered them. A later
 * resend carries no claims.
 */
export async function forgetDelivered(
  { ledger }: Pick<Context, 'ledger'>,
  tx: Db,
  sessions: readonly { day: string; id: string }[],
): Promise<void> {
  const forgotten = await forgetResults(tx, sessions)
  await ledger.record(
    tx,
    forgotten.map(({ day, id }) => ({ kind: 'result', day, id })),
  )
}
