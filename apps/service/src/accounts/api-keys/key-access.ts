import { appendAudit } from '../../audit/index.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import type { MadeAccess } from '../members/member-access.ts'
import {
  type UsableKeyRow,
  endKeyWithDay,
  markRevoked,
  readUsableKeyPage,
  readUsableKeysOfMember,
  updateKeyMaker,
} from './store.ts'

export const madeKeys: MadeAccess = {
  async list(db, maker) {
    const keys = await readUsableKeysOfMember(db, maker)
    return keys.map(({ id, name, environment, scopes }) => ({ id, name, environment, scopes }))
  },
  async end(tx, { id }, { by, cause }) {
    const row = await markRevoked(tx, { tenant_id: by.tenant_id, id })
    await appendAudit(tx, { action: 'key.revoked', by, subject: id, detail: { prefix: row?.prefix, cause } })
    return [{ kind: 'api_key', id }]
  },
  async setMaker(tx, { id }, { tenant_id, member_id }) {
    await updateKeyMaker(tx, { tenant_id, id, created_by: member_id })
  },
}

/** Keys that were revoked, or rolled: with an overlap, the entry has the day on which it ends. */
export const endedKeys: EndedRows<UsableKeyRow> = {
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
