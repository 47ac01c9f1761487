import { dashboardRoutes as routes } from '@vidimus/contract'
import type { VerificationContext } from './context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../engine/http/index.ts'
import { listPersonas } from '../trust/index.ts'
import { describeEvent } from '../deliveries/index.ts'
import { createTestVerification, tryTemplate } from './dashboard/create-test-verification.ts'
import { describeVerification } from './dashboard/describe.ts'
import { getReceipt, listReceipts } from './receipts/get-receipt.ts'
import { getReport } from './receipts/get-report.ts'
import { listErasureRequests, refuseErasureRequest } from './erasure-requests/request-erasure.ts'
import { eraseVerification } from './retention/erase.ts'
import { openVerificationExporter } from './dashboard/export.ts'
import { listFiltered } from './dashboard/list-filtered.ts'
import { revealClaims, revealPayload } from './dashboard/reveal.ts'
import { resendWebhook, showMaskedWebhook } from './dashboard/show-webhook.ts'

export function verificationDashboardRoutes(ctx: VerificationContext): DashboardEndpoint[] {
  const exportVerifications = openVerificationExporter(ctx)
  return [
    dashboardEndpoint(routes.listVerifications, async ({ member, params, query }) => ({
      body: await listFiltered(ctx, { ...member, ...params }, query),
    })),
    dashboardEndpoint(routes.getVerification, async ({ member, params: { environment, id } }) => ({
      body: await describeVerification(ctx, { ...member, environment }, id),
    })),
    dashboardEndpoint(routes.exportVerifications, async ({ member, params: { environment }, query }) => ({
      stream: await exportVerifications({ ...member, environment }, { ...query, withClaims: false }),
      headers: { 'content-disposition': `attachment; filename="vidimus-verifications-${environment}.csv"` },
    })),
    dashboardEndpoint(routes.exportClaims, async ({ member, params: { environment }, query }) => ({
      stream: await exportVerifications({ ...member, environment }, { ...query, withClaims: true }),
      headers: { 'content-disposition': `attachment; filename="vidimus-claims-${environment}.csv"` },
    })),
    dashboardEndpoint(routes.revealClaims, async ({ member, params: { environment, id } }) => ({
      body: await revealClaims(ctx, { ...member, environment }, id),
    })),
    dashboardEndpoint(routes.getReceipt, async ({ member, params: { environment, id } }) => ({
      body: await getReceipt(ctx, { ...member, environment }, id),
    })),
    dashboardEndpoint(routes.listReceipts, async ({ member: { tenant_id }, params, query }) => ({
      body: await listReceipts(ctx, { tenant_id, ...params }, query),
    })),
    dashboardEndpoint(routes.getReport, async ({ member: { tenant_id }, params, query }) => ({
      body: await getReport(ctx, { tenant_id, ...params }, query),
    })),
    dashboardEndpoint(routes.eraseVerification, async ({ member, params: { environment, id } }) => ({
      body: await eraseVerification(ctx, { ...member, environment }, id),
    })),
    dashboardEndpoint(routes.listErasureRequests, async ({ member: { tenant_id }, params, query }) => ({
      body: await listErasureRequests(ctx, { tenant_id, ...params, ...query }),
    })),
    dashboardEndpoint(routes.refuseErasureRequest, async ({ member: by, params }) => {
      await refuseErasureRequest(ctx, { by, ...params })
      return { body: {} }
    }),
    dashboardEndpoint(routes.listPersonas, async () => ({ body: { data: listPersonas() } })),
    dashboardEndpoint(routes.createTestVerification, async ({ member, body }) => ({
      body: await createTestVerification(ctx, member, body),
    })),
    dashboardEndpoint(routes.tryTemplate, async ({ member, body }) => ({
      body: await tryTemplate(ctx, member, body),
    })),
    dashboardEndpoint(routes.getDelivery, async ({ member, params: { environment, id, attempt }, query }) => {
      const { tenant_id, role } = member
      const { endpoint_id = '' } = query
      const event = await describeEvent(ctx, {
        tenant_id,
        environment,
        verification_id: id,
        endpoint_id,
        attempt,
        role,
      })
      const payload = await showMaskedWebhook(ctx, { ...event.delivery, tenant_id, environment, id })
      return { body: { ...event, ...(payload !== undefined && { payload }) } }
    }),
    dashboardEndpoint(routes.revealPayload, async ({ member, params, query }) => ({
      body: await revealPayload(ctx, { by: member, ...params, ...query }),
    })),
    dashboardEndpoint(routes.resendWebhook, async ({ member, params: { environment, id }, query }) => {
      await resendWebhook(ctx, { by: member, environment, id, ...query })
      return { body: {} }
    }),
  ]
}
