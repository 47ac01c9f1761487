import { dashboardRoutes as routes, type ListDeliveries } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../platform/http/endpoint.ts'
import { describeSecret, revealSecret } from './secrets/describe-secret.ts'
import { listDeliveries, type Delivery } from './log/list-deliveries.ts'
import { listForwards } from './listen/list-forwards.ts'
import { rotateWebhookSecret } from './secrets/rotate-secret.ts'
import { sendTestEvent } from './send-test-event.ts'
import { viewDelivery } from './log/view-delivery.ts'

export function webhookDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.getWebhookSecret, async ({ member }) => ({
      body: await describeSecret(ctx, member.tenant_id),
    })),
    dashboardEndpoint(routes.revealWebhookSecret, async ({ member }) => ({
      body: await revealSecret(ctx, member),
    })),
    dashboardEndpoint(routes.rotateWebhookSecret, async ({ member }) => {
      const secret = await rotateWebhookSecret(ctx, { by: member })
      return { body: { secret, state: await describeSecret(ctx, member.tenant_id) } }
    }),
    dashboardEndpoint(routes.listDeliveries, async ({ member, params: { environment }, query }) => {
      const { verification_id: session_id, outcome, before, limit } = query
      const filter = {
        tenant_id: member.tenant_id,
        limit,
        ...(session_id !== undefined && { session_id }),
        ...(outcome !== undefined && { outcomes: toDeliveryOutcomes(outcome) }),
        ...(before !== undefined && { before }),
      }
      const [deliveries, forwards] = await Promise.all([
        listDeliveries(ctx, { ...filter, environment }),
        environment === 'test' ? listForwards(ctx, filter) : [],
      ])
      const newestFirst = [...deliveries.map(viewDelivery), ...forwards].toSorted((a, b) =>
        a.attempted_at < b.attempted_at ? 1 : -1,
      )
      const backoff_seconds = [...ctx.config.WEBHOOK_BACKOFF_SECONDS]
      return { body: { data: newestFirst.slice(0, limit), backoff_seconds } }
    }),
    dashboardEndpoint(routes.sendTestEvent, async ({ member, body }) => {
      const { status, error, ...result } = await sendTestEvent(ctx, { by: member, ...body })
      return {
        body: { ...result, ...(status !== null && { status }), ...(error !== null && { error }) },
      }
    }),
  ]
}

function toDeliveryOutcomes(filter: NonNullable<ListDeliveries['outcome']>): Delivery['outcome'][] {
  if (filter === 'succeeded') return ['delivered']
  if (filter === 'unsuccessful') return ['failed', 'refused', 'timed_out', 'interrupted']
  return [filter]
}
