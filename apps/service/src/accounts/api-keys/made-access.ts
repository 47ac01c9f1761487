import { appendAudit } from '../../audit/index.ts'
import type { MadeAccess } from '../members/made-access.ts'
import { markRevoked, readUsableKeysOfMember, updateKeyMaker } from './store.ts'

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
