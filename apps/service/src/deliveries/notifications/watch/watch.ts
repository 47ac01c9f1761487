import { listNearQuota } from '../../../accounts/index.ts'
import {
  type RaiseAlert,
  raiseAlertForTenants,
  reconcileAlerts,
  resolveOld,
  resolveOpen,
} from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { readClock } from '../../../engine/db/index.ts'
import {
  type CertificateEnd,
  type RegistrationEndRow,
  expiryStage,
  isListEnding,
  listCertificateEnds,
  listRegistrationEnds,
  listTenantsTrustingLists,
  listTrustLists,
} from '../../../trust/index.ts'
import { lockWatch } from './store.ts'

export const watchExpiryInterval_ms = 600_000
/** How long alerts about one-time events stay open. For a reused token it is as long as the overview warns of it; the device stays revoked. */
const notice_days = 7

/**
 * Raises an alert 30, 7 and 1 days before a tenant's own access certificate or a registration ends, and when it has ended. Resolves
 * it when the certificate is replaced or the registration removed. Not for the service's own certificate, which the operator renews.
 */
export async function watchExpiry(ctx: Pick<Context, 'db'>): Promise<void> {
  const { db } = ctx
  const now_ms = Date.parse(await readClock(db))
  const certificates: RaiseAlert[] = []
  for await (const page of listCertificateEnds(ctx))
    certificates.push(...page.flatMap((end) => toCertificateAlert(end, now_ms)))
  const registrations: RaiseAlert[] = []
  for await (const page of listRegistrationEnds(ctx))
    registrations.push(...page.flatMap((end) => toRegistrationAlert(end, now_ms)))
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, 'expiry'))) return
    await reconcileAlerts(tx, { kind: 'certificate_expires', wanted: certificates })
    await reconcileAlerts(tx, { kind: 'registration_expires', wanted: registrations })
  })
  await resolveOld(db, { kind: 'device_revoked_by_reuse', days: notice_days })
  await resolveOld(db, { kind: 'access_changed', days: notice_days })
}

function toCertificateAlert(
  { tenant_id, fingerprint, subject, expires_at }: CertificateEnd,
  now_ms: number,
): RaiseAlert[] {
  const stage = expiryStage(expires_at, now_ms)
  if (stage === undefined) return []
  return [
    {
      tenant_id,
      environment: null,
      kind: 'certificate_expires',
      subject: fingerprint,
      stage: stage.stage,
      details: { certificate: subject, expires_at, days: stage.days },
    },
  ]
}

function toRegistrationAlert(
  { tenant_id, id, name, expires_at }: RegistrationEndRow,
  now_ms: number,
): RaiseAlert[] {
  const stage = expiryStage(expires_at, now_ms)
  if (stage === undefined) return []
  return [
    {
      tenant_id,
      environment: null,
      kind: 'registration_expires',
      subject: id,
      stage: stage.stage,
      details: { registration: name, expires_at, days: stage.days },
    },
  ]
}

export const watchListsInterval_ms = 300_000

/** Raises an alert for every tenant that trusts a list which has expired, or soon will because it cannot be refreshed. */
export async function watchLists(ctx: Pick<Context, 'db'>): Promise<void> {
  const { db } = ctx
  const now_ms = Date.parse(await readClock(db))
  const ending = (await listTrustLists(ctx)).filter((list) => isListEnding(list, now_ms))
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, 'lists'))) return
    await resolveOpen(
      tx,
      'trust_list_stale',
      ({ environment, subject }) =>
        !ending.some((list) => list.environment === environment && list.url === subject),
    )
  })
  if (ending.length === 0) return
  for await (const tenant_ids of listTenantsTrustingLists(ctx)) {
    for (const { environment, url, trusted_until } of ending)
      await raiseAlertForTenants(db, tenant_ids, {
        environment,
        kind: 'trust_list_stale',
        subject: url,
        details: { url, ...(trusted_until !== null && { trusted_until }) },
      })
  }
}

/** How often usage is compared with the quotas: not at each creation, which would cost every request. */
export const watchQuotaInterval_ms = 60_000

/** Raises an alert at 80 and at 100 % of the daily quota, once a day each, until the day ends or the quota is raised. */
export async function watchQuota({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, 'quota'))) return
    const near = await listNearQuota(tx)
    await reconcileAlerts(tx, {
      kind: 'quota',
      wanted: near.map(({ tenant_id, day, used, daily_quota, percent }) => ({
        tenant_id,
        environment: null,
        kind: 'quota',
        subject: day,
        stage: percent,
        once: true,
        details: { percent, used, daily_quota },
      })),
    })
  })
}
