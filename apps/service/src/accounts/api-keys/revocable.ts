import { appendAudit } from '../../audit/index.ts'
import type { Revocable } from '../../engine/ledger/index.ts'
import { endKeyWithDay, markRevoked, readUsableKeyPage, type UsableKeyRow } from './store.ts'

/** Keys that were revoked, or rolled: with an overlap, the entry has the day on which it ends. */
export const revocableKeys: Revocable<UsableKeyRow> = {
  kind: 'api_key',
  readPage: readUsableKeyPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { tenant_id, id, prefix }, ended) {
    const day = ended.get(id)
    if (day === undefined) await markRevoked(tx, { tenant_id, id })
    else await endKeyWithDay(tx, { tenant_id, id, day })
    await appendAudit(tx, {
      action: 'key.revoked',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { prefix, cause: 'restore', ...(day !== undefined && { works_until: day }) },
    })
  },
}
