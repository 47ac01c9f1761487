import type { RaiseAlert } from '../../alerts/raise.ts'
import { reconcileAlerts, resolveOld } from '../../alerts/reconcile.ts'
import type { Context } from '../../context.ts'
import { readClock } from '../../platform/db/read-clock.ts'
import { expiryStage } from '../../trust/expiry-stage.ts'
import { listIdentityEnds, type IdentityEnds } from '../../trust/identity/list-ends.ts'
import { lockWatch } from './store.ts'

export const watchExpiryInterval_ms = 600_000
/** As long as the overview warns of it. The device stays revoked. */
const reuseNotice_days = 7

/**
 * Raises an alert 30, 7 and 1 days before a tenant's own access certificate or registration ends, and when it has ended. Resolves
 * it when the certificate is replaced. The service's own certificate is the operator's to renew.
 */
export async function watchExpiry(ctx: Pick<Context, 'db'>): Promise<void> {
  const { db } = ctx
  const now_ms = Date.parse(await readClock(db))
  const wanted: RaiseAlert[] = []
  for await (const page of listIdentityEnds(ctx))
    wanted.push(...page.flatMap((ends) => toAlerts(ends, now_ms)))
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, 'expiry'))) return
    for (const kind of ['certificate_expires', 'registration_expires'] as const)
      await reconcileAlerts(tx, { kind, wanted: wanted.filter((alert) => alert.kind === kind) })
  })
  await resolveOld(db, { kind: 'device_revoked_by_reuse', days: reuseNotice_days })
}

function toAlerts({ tenant_id, certificate, registration }: IdentityEnds, now_ms: number): RaiseAlert[] {
  const certificateStage = certificate && expiryStage(certificate.expires_at, now_ms)
  const registrationStage = registration && expiryStage(registration.expires_at, now_ms)
  return [
    ...(certificate === undefined || certificateStage === undefined
      ? []
      : [
          {
            tenant_id,
            environment: null,
            kind: 'certificate_expires',
            subject: certificate.fingerprint,
            stage: certificateStage.stage,
            details: {
              certificate: certificate.subject,
              expires_at: certificate.expires_at,
              days: certificateStage.days,
            },
          } as const,
        ]),
    ...(registration === undefined || registrationStage === undefined
      ? []
      : [
          {
            tenant_id,
            environment: null,
            kind: 'registration_expires',
            subject: registration.fingerprint,
            stage: registrationStage.stage,
            details: { expires_at: registration.expires_at, days: registrationStage.days },
          } as const,
        ]),
  ]
}
