import { type SignedUp, operatorRoutes as routes } from '@vidimus/contract'
import { byOperator } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { type OperatorEndpoint, operatorEndpoint } from '../../../engine/http/index.ts'
import { type SignedUpTenant, decideApproval, findSignedUp, listUnapproved } from '../../tenants/approval.ts'

/** Tenants that opened their account by themselves. */
export function operatorSignUpRoutes(ctx: Context): OperatorEndpoint[] {
  return [
    operatorEndpoint(routes.listSignUps, async ({ query: { limit, after } }) => {
      const found = await listUnapproved(ctx, { after: readCursor(after), limit: limit + 1 })
      const data = found.slice(0, limit)
      const last = data.at(-1)
      return {
        body: {
          mode: ctx.config.SIGN_UP,
          data: data.map(viewSignedUp),
          ...(found.length > limit && last !== undefined && { next: `${last.created_at}_${last.tenant_id}` }),
        },
      }
    }),
    operatorEndpoint(routes.approveTenant, async ({ operator, params: { id }, body: { reason } }) => {
      await decideApproval(ctx, {
        tenant_id: id,
        approval: 'approved',
        operator: byOperator(operator, reason),
      })
      return { body: viewSignedUp(await findSignedUp(ctx, id)) }
    }),
    operatorEndpoint(routes.refuseTenant, async ({ operator, params: { id }, body: { reason } }) => {
      await decideApproval(ctx, {
        tenant_id: id,
        approval: 'refused',
        operator: byOperator(operator, reason),
      })
      return { body: viewSignedUp(await findSignedUp(ctx, id)) }
    }),
  ]
}

const cursor = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function readCursor(after: string | undefined): { created_at: string; id: string } | undefined {
  if (after === undefined) return undefined
  const [, created_at = '', id = ''] = cursor.exec(after) ?? []
  if (Number.isNaN(Date.parse(created_at)))
    throw new Refusal('invalid_request', 'after must be the next of a page.')
  return { created_at, id }
}

function viewSignedUp({ tenant_id: id, name, state, approval, email, created_at }: SignedUpTenant): SignedUp {
  return {
    tenant: { id, name, state },
    approval,
    ...(email !== null && { email }),
    signed_up_at: created_at,
  }
}
