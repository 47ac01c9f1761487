import type { Environment, WebhookSecret, WebhookSecretState } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { readSecretState } from '../../../accounts/index.ts'
import { readTenantSecrets } from './read-secrets.ts'

/** What every member of the dashboard may know about the tenant's secret in an environment. */
export async function describeSecret(
  { db }: Pick<Context, 'db'>,
  owner: { tenant_id: string; environment: Environment },
): Promise<WebhookSecretState> {
  const state = await readSecretState(db, owner)
  if (state === undefined) throw new Error('The tenant has no webhook secret.')
  const { created_at, previous_retires_at, now } = state
  return { created_at, ...(previous_retires_at !== null && { previous_retires_at }), now }
}

/** Returns the active secret, and records in the audit log who asked for it (DASH-2). */
export async function revealSecret(
  ctx: Pick<Context, 'db' | 'keyring'>,
  { by, environment }: { by: NewAuditEntry['by']; environment: Environment },
): Promise<WebhookSecret> {
  const owner = { tenant_id: by.tenant_id, environment }
  // The entry comes first, so that no secret is shown without one.
  await ctx.db.transaction((tx) =>
    appendAudit(tx, { action: 'webhook_secret.revealed', by, detail: { environment } }),
  )
  const [secret] = await readTenantSecrets(ctx, owner)
  if (secret === undefined) throw new Error('The tenant has no webhook secret.')
  return { secret, state: await describeSecret(ctx, owner) }
}
