import { dashboardRoutes as routes } from '@vidimus/contract'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import type { TemplateContext } from '../../templates/index.ts'
import { changeClient, deleteClient } from './clients/change-client.ts'
import { createClient } from './clients/create-client.ts'
import { getClient, listClients } from './clients/list-clients.ts'
import { rollClientSecret } from './clients/roll-secret.ts'

export function clientDashboardRoutes(ctx: TemplateContext): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listOpenIdClients, async ({ member, params: { environment } }) => ({
      body: { data: await listClients(ctx, { ...member, environment }) },
    })),
    dashboardEndpoint(routes.createOpenIdClient, async ({ member, params, body }) => {
      const { client_id, secret } = await createClient(ctx, { by: member, ...params, ...body })
      const client = await getClient(ctx, { ...member, client_id })
      return { body: { client, ...(secret !== undefined && { secret }) } }
    }),
    dashboardEndpoint(routes.changeOpenIdClient, async ({ member, params: { environment, id }, body }) => {
      await changeClient(ctx, { by: member, environment, client_id: id, change: body })
      return { body: await getClient(ctx, { ...member, client_id: id }) }
    }),
    dashboardEndpoint(
      routes.rollOpenIdClientSecret,
      async ({ member, params: { environment, id }, body }) => {
        const { secret } = await rollClientSecret(ctx, { by: member, environment, client_id: id, ...body })
        return { body: { client: await getClient(ctx, { ...member, client_id: id }), secret } }
      },
    ),
    dashboardEndpoint(routes.deleteOpenIdClient, async ({ member, params: { environment, id } }) => {
      await deleteClient(ctx, { by: member, environment, client_id: id })
      return { body: {} }
    }),
  ]
}
