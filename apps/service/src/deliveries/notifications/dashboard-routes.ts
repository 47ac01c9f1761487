import { dashboardRoutes as routes } from '@vidimus/contract'
import { listAlerts } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { changeChoices, getChoices } from './choices/choose-alerts.ts'
import {
  getAlertWebhook,
  removeAlertWebhook,
  rotateAlertSecret,
  setAlertWebhook,
} from './webhook/alert-webhook.ts'

export function alertDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listAlerts, async ({ member, params: { environment } }) => ({
      body: { data: await listAlerts(ctx, { tenant_id: member.tenant_id, environment }) },
    })),
    dashboardEndpoint(routes.getAlertChoices, async ({ member }) => ({
      body: await getChoices(ctx, member),
    })),
    dashboardEndpoint(routes.changeAlertChoices, async ({ member, body }) => ({
      body: await changeChoices(ctx, member, body),
    })),
    dashboardEndpoint(routes.getAlertWebhook, async ({ member }) => ({
      body: await getAlertWebhook(ctx, member.tenant_id),
    })),
    dashboardEndpoint(routes.setAlertWebhook, async ({ member, body }) => ({
      body: await setAlertWebhook(ctx, { by: member, ...body }),
    })),
    dashboardEndpoint(routes.rotateAlertSecret, async ({ member }) => ({
      body: await rotateAlertSecret(ctx, member),
    })),
    dashboardEndpoint(routes.removeAlertWebhook, async ({ member }) => ({
      body: await removeAlertWebhook(ctx, member),
    })),
  ]
}
