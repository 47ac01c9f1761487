import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { deleteEndedLinks, hasUnrecordedUses, takeUnrecordedUses } from './store.ts'

const maxBatch = 100
/** How long a link that has expired or was used is still listed. It counts against the tenant's links meanwhile. */
export const endedLinkRetention_days = 90

/**
 * Records the uses of single-use links in the erasure ledger: a restored database would let them be used again. False if there are
 * none.
 */
export async function recordLinkUses({ db, ledger }: Pick<Context, 'db' | 'ledger'>): Promise<boolean> {
  if (!(await hasUnrecordedUses(db))) return false
  let recorded: number
  do {
    recorded = await db.transaction(async (tx) => {
      const ids = await takeUnrecordedUses(tx, maxBatch)
      if (ids.length > 0)
        await ledger.record(
          tx,
          ids.map((id) => ({ kind: 'verification_link_use', id })),
        )
      return ids.length
    })
  } while (recorded === maxBatch)
  return true
}

/** Deletes links that ended long ago. A restore brings none of them back to life: they have expired, or their use is recorded. */
export async function sweepLinks({ db }: Pick<Context, 'db'>): Promise<void> {
  let deleted: number
  do {
    deleted = await db.transaction(async (tx) => {
      const links = await deleteEndedLinks(tx, { after_days: endedLinkRetention_days, limit: maxBatch })
      for (const { tenant_id, id, environment } of links)
        await appendAudit(tx, {
          action: 'link.deleted',
          by: { kind: 'service', tenant_id },
          subject: id,
          detail: { environment, cause: 'ended' },
        })
      return links.length
    })
  } while (deleted === maxBatch)
}
