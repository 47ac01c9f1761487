import type { SupportState } from '@vidimus/contract'
import { type InstallationOperator, appendAudit, recordsAs, recordsAsService } from '../../audit/index.ts'
import { type Member, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { lockActingMember } from '../members/me.ts'
import { readNow, takeAttempt } from '../sign-in/store.ts'
import { readState } from '../tenants/store.ts'
import { getSupportAccess } from './get-support-access.ts'
import {
  type SupportAccessRow,
  deleteSupportAccess,
  findSupportAccess,
  putSupportAccess,
  readSupportAccessPage,
} from './store.ts'

export const supportLifetime_hours = 24

type SupportContext = Pick<Context, 'config' | 'db' | 'ledger'>

/** The access that operators have to a tenant now, and whether they could take it. */
export async function getSupportState(
  { config, db }: Pick<Context, 'config' | 'db'>,
  tenant_id: string,
): Promise<SupportState> {
  if ((await readState(db, tenant_id)) === undefined) throw noTenant()
  const access = await getSupportAccess(db, tenant_id)
  const { now } = await readNow(db)
  return { ...(access !== undefined && { access }), may_take: config.SUPPORT_ACCESS === 'reason', now }
}

/** An owner lets operators look for a day. They change nothing, and see neither claims nor secrets. */
export async function grantSupport({ db }: Pick<Context, 'db'>, requester: Member): Promise<void> {
  const { tenant_id } = requester
  await db.transaction(async (tx) => {
    const by = await lockActingMember(tx, requester, 'grant_support')
    await putSupportAccess(tx, {
      tenant_id,
      given_by: 'tenant',
      name: by.name,
      reason: null,
      lifetime_hours: supportLifetime_hours,
    })
    await appendAudit(tx, { action: 'support.granted', by, detail: { hours: supportLifetime_hours } })
    await recordsAsService('installation.support_granted')(tx, { tenant_id })
  })
}

export type TakeSupport = { tenant_id: string; operator: InstallationOperator }

/** An operator looks without the tenant's consent, for a reason that it reads. Only where the installation allows it. */
export async function takeSupport(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { tenant_id, operator }: TakeSupport,
): Promise<void> {
  if (config.SUPPORT_ACCESS !== 'reason')
    throw new Refusal(
      'role_not_allowed',
      'Operators of this installation look only with consent. An owner of the tenant can give it for 24 hours.',
    )
  const { name, reason } = operator
  await db.transaction(async (tx) => {
    const access = { tenant_id, given_by: 'operator' as const, name, reason: reason ?? null }
    if (!(await putSupportAccess(tx, { ...access, lifetime_hours: supportLifetime_hours }))) throw noTenant()
    await appendAudit(tx, {
      action: 'support.taken',
      by: { kind: 'operator', tenant_id, name },
      purpose: reason,
      detail: { hours: supportLifetime_hours },
    })
    await recordsAs('installation.support_taken', operator)(tx, { tenant_id })
  })
}

/** Ends the access at once, whoever gave it. Without any it does nothing. */
export async function endSupport(
  { db, ledger }: Pick<SupportContext, 'db' | 'ledger'>,
  by: Member | { tenant_id: string; operator: InstallationOperator },
): Promise<void> {
  const { tenant_id } = by
  await db.transaction(async (tx) => {
    const ended = await deleteSupportAccess(tx, tenant_id)
    if (ended === undefined) return
    const actor = 'operator' in by ? { kind: 'operator' as const, tenant_id, name: by.operator.name } : by
    await appendAudit(tx, { action: 'support.ended', by: actor })
    const record =
      'operator' in by
        ? recordsAs('installation.support_ended', by.operator)
        : recordsAsService('installation.support_ended')
    await record(tx, { tenant_id })
    await ledger.record(tx, [{ kind: 'support_access', id: supportLedgerId(ended) }])
  })
}

export type SupportView = {
  tenant_id: string
  operator: InstallationOperator
  /** What they look at, for the logs. */
  what: string
}

/**
 * Refuses an operator without access, and records that they look: at each thing once an hour, so that turning pages does not fill the chain.
 */
export async function viewAsSupport(
  { db }: Pick<Context, 'db'>,
  { tenant_id, operator, what }: SupportView,
): Promise<void> {
  if ((await findSupportAccess(db, tenant_id)) === undefined) {
    if ((await readState(db, tenant_id)) === undefined) throw noTenant()
    throw new Refusal(
      'role_not_allowed',
      'The tenant does not let operators look. One of its owners can allow it for 24 hours.',
    )
  }
  await db.transaction(async (tx) => {
    const seen = `support ${tenant_id} ${operator.operator_id ?? operator.name} ${what}`
    if (!(await takeAttempt(tx, { address: seen, burst: 1, per_hour: 1 }))) return
    const by = { kind: 'operator', tenant_id, name: operator.name } as const
    await appendAudit(tx, { action: 'support.viewed', by, detail: { what } })
    await recordsAs('installation.support_viewed', operator)(tx, { tenant_id, what })
  })
}

/** Access that was ended before its time. */
export const endedSupport: EndedRows<SupportAccessRow> = {
  kind: 'support_access',
  readPage: readSupportAccessPage,
  ledgerIds: (row) => [supportLedgerId(row)],
  async end(tx, { tenant_id }) {
    await deleteSupportAccess(tx, tenant_id)
    await appendAudit(tx, {
      action: 'support.ended',
      by: { kind: 'operator', tenant_id },
      detail: { cause: 'restore' },
    })
  },
}

function supportLedgerId({ tenant_id, since }: Pick<SupportAccessRow, 'tenant_id' | 'since'>): string {
  return `${tenant_id} ${since}`
}

function noTenant(): Refusal {
  return new Refusal('not_found', 'There is no such tenant.')
}
