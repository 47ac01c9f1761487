import { dashboardRoutes as routes } from '@vidimus/contract'
import type { TrustContext } from '../context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { addRegistration, previewRegistration } from './add-registration.ts'
import { changeRegistration, removeRegistration } from './change-registration.ts'
import { recheckRegistration } from './check/recheck.ts'
import { getRegistration, listTenantRegistrations } from './list-registrations.ts'
import { setRegistrationSettings } from './settings.ts'

export function registrationDashboardRoutes(ctx: TrustContext): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listRegistrations, async ({ member }) => ({
      body: await listTenantRegistrations(ctx, member.tenant_id),
    })),
    dashboardEndpoint(routes.readRegistration, async ({ member, body }) => ({
      body: await previewRegistration(ctx, { tenant_id: member.tenant_id, ...body }),
    })),
    dashboardEndpoint(routes.addRegistration, async ({ member, body }) => ({
      body: await addRegistration(ctx, { by: member, ...body }),
    })),
    dashboardEndpoint(routes.getRegistration, async ({ member, params: { id } }) => ({
      body: await getRegistration(ctx, { tenant_id: member.tenant_id, id }),
    })),
    dashboardEndpoint(routes.changeRegistration, async ({ member, params: { id }, body }) => ({
      body: await changeRegistration(ctx, { by: member, id, ...body }),
    })),
    dashboardEndpoint(routes.checkRegistration, async ({ member, params: { id } }) => {
      await recheckRegistration(ctx, { by: member, id })
      return { body: await getRegistration(ctx, { tenant_id: member.tenant_id, id }) }
    }),
    dashboardEndpoint(routes.removeRegistration, async ({ member, params: { id } }) => {
      await removeRegistration(ctx, { by: member, id })
      return { body: await listTenantRegistrations(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.changeRegistrationSettings, async ({ member, body }) => {
      await setRegistrationSettings(ctx, { by: member, ...body })
      return { body: await listTenantRegistrations(ctx, member.tenant_id) }
    }),
  ]
}
