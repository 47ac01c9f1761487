import type { RegistrationFinding } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit, raiseAlert, resolveAlert } from '../../../audit/index.ts'
import type { TrustContext } from '../../context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { notFound } from '../../../engine/basics/index.ts'
import {
  claimDue,
  findCertificate,
  findRegistration,
  saveCheck,
  setAllDue,
  type RegistrationKey,
  type RegistrationRow,
} from '../store.ts'
import { checkCertificate, describeFinding, findFailure } from './check-certificate.ts'

/** How often the worker looks for registrations that are due. Each is checked once a day. */
export const recheckInterval_ms = 60_000
const maxConcurrent = 8

/** Makes a tenant's registrations due for a check, because the access certificate that they belong to has changed. */
export async function recheckSoon({ db }: Pick<TrustContext, 'db'>, tenant_id: string): Promise<void> {
  await setAllDue(db, tenant_id)
}

/** Checks the registrations that have not been checked for a day. Any number of workers share the work. */
export async function recheckDueRegistrations(ctx: TrustContext): Promise<void> {
  for (;;) {
    const due = await claimDue(ctx.db, maxConcurrent)
    // A check that fails, because of the database or a lookup, is repeated within an hour.
    await Promise.all(due.map((key) => recheck(ctx, key, { kind: 'service', tenant_id: key.tenant_id })))
    if (due.length < maxConcurrent) return
  }
}

/** Checks a registration again and stores what was found. */
export async function recheckRegistration(
  ctx: TrustContext,
  { by, id }: { by: NewAuditEntry['by']; id: string },
): Promise<void> {
  if (!(await recheck(ctx, { tenant_id: by.tenant_id, id }, by))) throw notFound('registration_not_found')
}

async function recheck(ctx: TrustContext, key: RegistrationKey, by: NewAuditEntry['by']): Promise<boolean> {
  const certificate = await findCertificate(ctx.db, key)
  if (certificate === undefined) return false
  const { token, dataset } = certificate
  const { findings } = await checkCertificate(ctx, {
    tenant_id: key.tenant_id,
    token,
    dataset: dataset === null ? undefined : { ...dataset },
  })
  return ctx.db.transaction(async (tx) => {
    const before = await findRegistration(tx, key)
    if (before === undefined || !(await saveCheck(tx, { ...key, findings }))) return false
    if (codesOf(before.findings) !== codesOf(findings))
      await appendAudit(tx, {
        action: 'registration.checked',
        by,
        subject: key.id,
        detail: { findings: findings.map(({ code }) => code) },
      })
    await alertOf(tx, before, findings)
    return true
  })
}

function codesOf(findings: readonly RegistrationFinding[]): string {
  return findings.map(({ code }) => code).join()
}

/** Raises or resolves the alert about a refused registration. Expiry has alerts of its own, from 30 days before. */
async function alertOf(
  tx: Db,
  { tenant_id, id, name }: RegistrationRow,
  findings: readonly RegistrationFinding[],
): Promise<void> {
  const failure = findFailure(findings.filter(({ code }) => code !== 'lifetime_ended'))
  const key = { tenant_id, environment: null, kind: 'registration_refused', subject: id } as const
  if (failure === undefined) await resolveAlert(tx, key)
  else await raiseAlert(tx, { ...key, details: { registration: name, finding: describeFinding(failure) } })
}
