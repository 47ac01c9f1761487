import type { Environment } from '@vidimus/contract'
import { type InstallationOperator, appendAudit, enqueueMemberMail, recordsAs } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { readMembersToNotify } from '../members/store.ts'
import { composeDecision } from './approval-mail.ts'
import {
  type SignedUpTenantRow,
  type TenantState,
  lockCreations,
  readState,
  readSignedUp,
  readUnapproved,
  updateApproval,
} from './store.ts'

/** Owners who learn by mail what was decided. */
const maxMailedOwners = 10

export type DecideApproval = {
  tenant_id: string
  approval: 'approved' | 'refused'
  operator: InstallationOperator
}

/**
 * Decides about a tenant that signed up. Approved, it creates verifications like any other. Refused, it keeps its test environment,
 * or is closed if it waited for that too. A refusal can be taken back until the tenant is deleted, unless it closed the tenant.
 */
export async function decideApproval(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { tenant_id, approval, operator }: DecideApproval,
): Promise<{ state: TenantState }> {
  const { name, reason } = operator
  return ctx.db.transaction(async (tx) => {
    await lockCreations(tx, tenant_id)
    const changed = await updateApproval(tx, { id: tenant_id, approval, reason: reason ?? null })
    if (changed === undefined)
      throw (await readState(tx, tenant_id)) === undefined
        ? new Refusal('not_found', `There is no tenant ${tenant_id}.`)
        : new Refusal('invalid_request', 'This tenant is approved. It can be suspended.')
    await appendAudit(tx, {
      action: 'tenant.approval_changed',
      by: { kind: 'operator', tenant_id, name },
      purpose: reason,
      detail: { approval, state: changed.state },
    })
    await recordsAs('installation.tenant_approval_changed', operator)(tx, { tenant_id, approval })
    await mailOwners(tx, ctx, { tenant_id, approval, reason })
    return changed
  })
}

async function mailOwners(
  tx: Db,
  ctx: Pick<Context, 'config' | 'keyring'>,
  decision: { tenant_id: string; approval: 'approved' | 'refused'; reason: string | undefined },
): Promise<void> {
  const { tenant_id } = decision
  const owners = (await readMembersToNotify(tx, tenant_id)).filter(({ role }) => role === 'owner')
  for (const { id: member_id, email: recipient, language, tenant_name } of owners.slice(0, maxMailedOwners)) {
    const content = composeDecision({
      ...decision,
      language: language === 'de' ? 'de' : 'en',
      tenant_name,
      base_url: ctx.config.BASE_URL,
    })
    await enqueueMemberMail(tx, ctx, { tenant_id, member_id, recipient, content, lifetime_hours: 72 })
  }
}

export type SignedUpTenant = Omit<SignedUpTenantRow, 'id'> & { tenant_id: string }

/** A page of the tenants that wait for approval, oldest first. */
export async function listUnapproved(
  { db }: Pick<Context, 'db'>,
  page: { after: { created_at: string; id: string } | undefined; limit: number },
): Promise<SignedUpTenant[]> {
  return (await readUnapproved(db, page)).map(({ id, ...tenant }) => ({ tenant_id: id, ...tenant }))
}

/** A tenant that signed up, whatever was decided. */
export async function findSignedUp({ db }: Pick<Context, 'db'>, tenant_id: string): Promise<SignedUpTenant> {
  const row = await readSignedUp(db, tenant_id)
  if (row === undefined) throw new Refusal('not_found', 'There is no such tenant.')
  const { id, ...tenant } = row
  return { tenant_id: id, ...tenant }
}

/** Refuses what is for an environment that the operator has not approved for the tenant. */
export async function requireApproval(
  tx: Db,
  { tenant_id, environment }: { tenant_id: string; environment: Environment },
): Promise<void> {
  const approval = (await readState(tx, tenant_id))?.approval ?? 'approved'
  if (environment === 'live' && approval !== 'approved') throw notApproved('live')
}

export function notApproved(environment: Environment): Refusal {
  return new Refusal(
    'tenant_not_approved',
    environment === 'live'
      ? 'The operator of this service has not approved live verifications of this account.'
      : 'The operator of this service has not approved this account yet.',
  )
}
