import type { OverviewWarning } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { readClock } from '../../engine/db/index.ts'
import { expiryStage } from '../expiry-stage.ts'
import { findFailure } from './check/describe-finding.ts'
import { listRegistrations, type RegistrationRow } from './store.ts'

/** Warnings about a tenant's registrations that have ended or soon will, and those that wallets will not accept. */
export async function listRegistrationWarnings(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<OverviewWarning[]> {
  const [now, rows] = await Promise.all([readClock(db), listRegistrations(db, tenant_id)])
  return rows.flatMap((row) => toWarnings(row, Date.parse(now)))
}

function toWarnings({ id, name, expires_at, findings }: RegistrationRow, now_ms: number): OverviewWarning[] {
  const stage = expires_at === null ? undefined : expiryStage(expires_at, now_ms)
  if (expires_at !== null && stage !== undefined)
    return [{ kind: 'registration_lapses', registration_id: id, name, expires_at, lapsed: stage.days === 0 }]
  const finding = findFailure(findings)
  return finding === undefined ? [] : [{ kind: 'registration_refused', registration_id: id, name, finding }]
}
