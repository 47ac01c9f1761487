import { operatorRoutes as routes } from '@vidimus/contract'
import { endSupport, getSupportState, takeSupport, viewAsSupport } from '../../accounts/index.ts'
import { byOperator } from '../../audit/index.ts'
import type { OperatorPrincipal } from '../../engine/basics/index.ts'
import { type OperatorEndpoint, operatorEndpoint } from '../../engine/http/index.ts'
import type { DashboardContext } from '../context.ts'
import { listRequests } from '../request-log/list-requests.ts'
import {
  getSupportConfig,
  getSupportVerification,
  listSupportDeliveries,
  listSupportVerifications,
} from './view-tenant.ts'

/** What operators see of a tenant while it lets them. Each read is recorded in the logs of both. */
export function operatorSupportRoutes(ctx: DashboardContext): OperatorEndpoint[] {
  type Call = { operator: OperatorPrincipal; params: { id: string; environment: 'test' | 'live' } }
  /** The tenant, if the operator may look at it now. */
  const enter = async ({ operator, params: { id: tenant_id, environment } }: Call, what: string) => {
    await viewAsSupport(ctx, {
      tenant_id,
      operator: byOperator(operator),
      what: `${environment} ${what}`,
    })
    return { tenant_id, environment }
  }
  return [
    operatorEndpoint(routes.getSupportAccess, async ({ params: { id } }) => ({
      body: await getSupportState(ctx, id),
    })),
    operatorEndpoint(routes.takeSupportAccess, async ({ operator, params: { id }, body: { reason } }) => {
      await takeSupport(ctx, { tenant_id: id, operator: byOperator(operator, reason) })
      return { body: await getSupportState(ctx, id) }
    }),
    operatorEndpoint(routes.endSupportAccess, async ({ operator, params: { id } }) => {
      await endSupport(ctx, { tenant_id: id, operator: byOperator(operator) })
      return { body: await getSupportState(ctx, id) }
    }),
    operatorEndpoint(routes.listSupportVerifications, async (call) => ({
      body: await listSupportVerifications(ctx, await enter(call, 'verifications'), call.query),
    })),
    operatorEndpoint(routes.getSupportVerification, async (call) => ({
      body: await getSupportVerification(
        ctx,
        await enter(call, 'verifications'),
        call.params.verification_id,
      ),
    })),
    operatorEndpoint(routes.listSupportDeliveries, async (call) => {
      const { limit, before, after } = call.query
      const filter = {
        ...(await enter(call, 'deliveries')),
        limit,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      }
      return { body: { data: await listSupportDeliveries(ctx, filter) } }
    }),
    operatorEndpoint(routes.listSupportRequests, async (call) => ({
      body: await listRequests(ctx, await enter(call, 'requests'), call.query),
    })),
    operatorEndpoint(routes.getSupportConfig, async (call) => ({
      body: await getSupportConfig(ctx, await enter(call, 'configuration')),
    })),
  ]
}
