import type { WebhookSecret, WebhookSecretState } from '@vidimus/contract'
import { appendAudit, type NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { readSecretState } from './secret-store.ts'
import { readTenantSecrets } from './read-secrets.ts'

/** What every member of the dashboard may know about the tenant's secret. */
export async function describeSecret(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<WebhookSecretState> {
  const state = await readSecretState(db, tenant_id)
  if (state === undefined) throw new Error('The tenant has no webhook secret.')
  const { created_at, previous_retires_at, now } = state
  return { created_at, ...(previous_retires_at !== null && { previous_retires_at }), now }
}

/** Returns the active secret, and records in the audit log who asked for it (DASH-2). */
export async function revealSecret(
  ctx: Pick<Context, 'db' | 'keyring'>,
  by: NewAuditEntry['by'],
): Promise<WebhookSecret> {
  const { tenant_id } = by
  // The entry comes first, so that no secret is shown without one.
  await appendAudit(ctx.db, { action: 'webhook_secret.revealed', by })
  const [secret] = await readTenantSecrets(ctx, tenant_id)
  if (secret === undefined) throw new Error('The tenant has no webhook secret.')
  return { secret, state: await describeSecret(ctx, tenant_id) }
}
