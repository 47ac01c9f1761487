import { dashboardRoutes as routes, type ListDeliveries } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { describeSecret, revealSecret, rotateWebhookSecret } from './secrets/secrets.ts'
import { listEvents, verificationReceiver, type Delivery } from './log/list-deliveries.ts'
import { maskUrl } from './log/mask-url.ts'
import { getLatestResend, requestResend } from './resend/resend.ts'
import {
  changeEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateEndpointSecret,
} from './endpoints/change-endpoint.ts'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import { listForwards } from './listen/listen.ts'
import { sendTestEvent } from './send-test-event.ts'

export function webhookDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listWebhookEndpoints, async ({ member, params: { environment } }) => {
      const endpoints = await listEndpoints(ctx, { ...member, environment })
      return { body: { data: endpoints.map((each) => ({ ...each, url: maskUrl(each.url, member.role) })) } }
    }),
    dashboardEndpoint(routes.createWebhookEndpoint, async ({ member, params: { environment }, body }) => ({
      body: await createEndpoint(ctx, { ...member, environment }, body),
    })),
    dashboardEndpoint(
      routes.changeWebhookEndpoint,
      async ({ member, params: { environment, id }, body }) => ({
        body: await changeEndpoint(ctx, { ...member, environment }, { ...body, id }),
      }),
    ),
    dashboardEndpoint(routes.deleteWebhookEndpoint, async ({ member, params: { environment, id } }) => ({
      body: await deleteEndpoint(ctx, { ...member, environment }, id),
    })),
    dashboardEndpoint(
      routes.rotateWebhookEndpointSecret,
      async ({ member, params: { environment, id } }) => ({
        body: await rotateEndpointSecret(ctx, { ...member, environment }, id),
      }),
    ),
    dashboardEndpoint(routes.getWebhookSecret, async ({ member, params: { environment } }) => ({
      body: await describeSecret(ctx, { tenant_id: member.tenant_id, environment }),
    })),
    dashboardEndpoint(routes.revealWebhookSecret, async ({ member, params: { environment } }) => ({
      body: await revealSecret(ctx, { by: member, environment }),
    })),
    dashboardEndpoint(routes.rotateWebhookSecret, async ({ member, params: { environment } }) => {
      const secret = await rotateWebhookSecret(ctx, { by: member, environment })
      return {
        body: { secret, state: await describeSecret(ctx, { tenant_id: member.tenant_id, environment }) },
      }
    }),
    dashboardEndpoint(routes.getResend, async ({ member: { tenant_id }, params: { environment } }) => {
      const latest = await getLatestResend(ctx, { tenant_id, environment })
      return { body: latest === undefined ? {} : { latest } }
    }),
    dashboardEndpoint(routes.resendFailed, async ({ member, params: { environment }, body }) => ({
      body: await requestResend(ctx, { by: member, environment, ...body }),
    })),
    dashboardEndpoint(routes.listDeliveries, async ({ member, params: { environment }, query }) => {
      const { verification_id, outcome, before, limit, endpoint_id, event_type, after } = query
      const filter = {
        tenant_id: member.tenant_id,
        limit,
        ...(verification_id !== undefined && { verification_id }),
        ...(outcome !== undefined && { outcomes: toDeliveryOutcomes(outcome) }),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      }
      const receiver = {
        ...(endpoint_id !== undefined && {
          endpoint_id: endpoint_id === verificationReceiver ? '' : endpoint_id,
        }),
        ...(event_type !== undefined && { event_type }),
      }
      // A forward has no receiver and no recorded type.
      const hasForwards = environment === 'test' && endpoint_id === undefined && event_type === undefined
      // A key sees what every member sees.
      const role = member.kind === 'member' ? member.role : 'support'
      const [events, forwards] = await Promise.all([
        listEvents(ctx, { ...filter, ...receiver, environment }, role),
        hasForwards ? listForwards(ctx, filter) : [],
      ])
      const newestFirst = [...events, ...forwards].toSorted((a, b) =>
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
