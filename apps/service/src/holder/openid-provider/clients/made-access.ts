import { appendAudit } from '../../../audit/index.ts'
import type { MadeAccess } from '../../../accounts/index.ts'
import { deleteClientRow, readClientsOfMember, updateClientMaker } from './store.ts'

/** Clients with their secrets. The one who last set the secret or the redirect addresses is the maker. */
export const madeClients: MadeAccess = {
  async list(db, maker) {
    const clients = await readClientsOfMember(db, maker)
    return clients.map(({ id, name, environment }) => ({ id, name, environment }))
  },
  async end(tx, { id }, { by, cause }) {
    await deleteClientRow(tx, { tenant_id: by.tenant_id, id })
    await appendAudit(tx, { action: 'openid_client.deleted', by, subject: id, detail: { cause } })
    return [{ kind: 'openid_client', id }]
  },
  async setMaker(tx, { id }, { tenant_id, member_id }) {
    await updateClientMaker(tx, { tenant_id, id }, member_id)
  },
}
