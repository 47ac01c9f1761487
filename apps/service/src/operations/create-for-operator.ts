import type { CreatedOperatorTenant, CreateOperatorTenant, InvitedOwner } from '@vidimus/contract'
import {
  createTenantOnce,
  findTenantByExternalId,
  getOperatedTenant,
  inviteMember,
  listMembers,
} from '../accounts/index.ts'
import { byOperator, recordsAs } from '../audit/index.ts'
import type { OperatorPrincipal } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'

/**
 * Creates a tenant once for each external id, and invites its owner. Repeated after a response was lost, it returns the tenant that
 * exists, without secrets, and as long as nobody has joined it invites the owner again.
 */
export async function createForOperator(
  ctx: Context,
  operator: OperatorPrincipal,
  { owner_email, reason, ...tenant }: CreateOperatorTenant,
): Promise<CreatedOperatorTenant> {
  const record = recordsAs('installation.tenant_created', byOperator(operator, reason))
  const created = await createTenantOnce(ctx, { ...tenant, record })
  const tenant_id = created?.tenant_id ?? (await findTenantByExternalId(ctx.db, tenant.external_id ?? ''))
  if (tenant_id === undefined) throw new Error('the tenant with this external id was deleted just now')
  const isEmpty = created !== undefined || (await listMembers(ctx, tenant_id))?.length === 0
  const invitation =
    owner_email === undefined || !isEmpty
      ? undefined
      : await inviteOwner(ctx, operator, { tenant_id, email: owner_email, reason })
  return {
    tenant: await getOperatedTenant(ctx, tenant_id),
    created: created !== undefined,
    ...(created !== undefined && {
      webhook_secrets: { test: created.webhook_secret, live: created.live_webhook_secret },
    }),
    ...(invitation !== undefined && { invitation }),
  }
}

/** A sign-in link for an owner, as `admin member invite` prints it. */
export async function inviteOwner(
  ctx: Context,
  operator: OperatorPrincipal,
  { tenant_id, email, reason }: { tenant_id: string; email: string; reason?: string | undefined },
): Promise<InvitedOwner> {
  const by = { kind: 'operator', tenant_id, name: operator.name } as const
  const record = recordsAs('installation.owner_invited', byOperator(operator, reason))
  const { link, invitation } = await inviteMember(ctx, { by, email, role: 'owner', record })
  return { email, link, mailed: invitation.mail === 'waiting' }
}
