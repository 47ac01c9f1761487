import { type RaiseAlert, reconcileAlerts, resolveOld } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { readClock } from '../../../engine/db/index.ts'
import {
  type CertificateEnd,
  type RegistrationEndRow,
  expiryStage,
  listCertificateEnds,
  listRegistrationEnds,
} from '../../../trust/index.ts'
import { lockWatch } from './store.ts'

export const watchExpiryInterval_ms = 600_000
/** How long alerts about what happened once stay open. A reuse: as long as the overview warns of it; the device stays revoked. */
const notice_days = 7

/**
 * Raises an alert 30, 7 and 1 days before a tenant's own access certificate or a registration ends, and when it has ended. Resolves
 * it when the certificate is replaced or the registration removed. The service's own certificate is the operator's to renew.
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
