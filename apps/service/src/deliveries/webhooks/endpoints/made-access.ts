import { appendAudit } from '../../../audit/index.ts'
import { type MadeAccess, environmentOf } from '../../../accounts/index.ts'
import { hostFromUrl } from '../event.ts'
import { deleteEndpointRow, readEndpointsOfMember, updateEndpointMaker } from './store.ts'
import { resolveAlerts } from './watch-failing.ts'

/** Endpoints, which receive claims. The maker is the member who last set the URL. */
export const madeEndpoints: MadeAccess = {
  async list(db, maker) {
    const endpoints = await readEndpointsOfMember(db, maker)
    return endpoints.map(({ id, url, environment, created_by_key }) => ({
      id,
      name: hostFromUrl(url),
      environment,
      ...(created_by_key !== null && { made_with_key: true }),
    }))
  },
  async end(tx, item, { by, cause }) {
    const { id } = item
    const environment = environmentOf(item)
    const row = await deleteEndpointRow(tx, { tenant_id: by.tenant_id, environment }, id)
    if (row !== undefined) await resolveAlerts(tx, row)
    const detail = { environment, cause }
    await appendAudit(tx, { action: 'webhook_endpoint.deleted', by, subject: id, detail })
    return [{ kind: 'webhook_endpoint', id }]
  },
  async setMaker(tx, { id }, { tenant_id, member_id }) {
    await updateEndpointMaker(tx, { tenant_id, id, created_by: member_id })
  },
}
