import type { Verification } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { WebhookEvent } from '../../deliveries/index.ts'
import { readByDay } from './list-verifications.ts'
import { readVerifications } from '../store.ts'
import { viewVerification } from '../view-verification.ts'

/**
 * Verifications as the read route returns them now, for their webhooks (HOOK-1). Erased ones are omitted, and those that are held
 * back, until they read as expired.
 */
export async function readForWebhooks(
  ctx: Context,
  db: Db,
  events: readonly WebhookEvent[],
): Promise<Map<string, Verification>> {
  const keys = events.map(({ verification_day, verification_id, tenant_id, environment }) => ({
    day: verification_day,
    id: verification_id,
    tenant_id,
    environment,
    device_id: null,
  }))
  const rows = await readByDay(keys, (group, onDay) => readVerifications(db, group, onDay))
  const visible = rows
    .filter((row) => row !== undefined)
    .filter(({ withheld, status }) => !withheld || status === 'expired')
  return new Map(visible.map((row) => [row.id, viewVerification(ctx, row)]))
}
