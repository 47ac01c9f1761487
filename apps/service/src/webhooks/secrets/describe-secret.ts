import type { WebhookSecret, WebhookSecretState } from '@vidimus/contract'
import { appendAudit, type NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { readSecretState } from '../log/health-store.ts'
import { readSigningSecrets } from './read-secrets.ts'

/** What may be said of a tenant's secret to everyone who reads the dashboard. */
export async function describeSecret(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<WebhookSecretState> {
  const state = await readSecretState(db, tenant_id)
  if (state === undefined) throw new Error('a tenant has no webhook secret')
  const { created_at, previous_retires_at, now } = state
  return { created_at, ...(previous_retires_at !== null && { previous_retires_at }), now }
}

/** Shows the secret that signs now. Whoever looks is told of in the audit log (DASH-2). */
export async function revealSecret(
  ctx: Pick<Context, 'db' | 'keyring'>,
  by: NewAuditEntry['by'],
): Promise<WebhookSecret> {
  const { tenant_id } = by
  // The entry first: a secret that was shown is one that was told of.
  await appendAudit(ctx.db, { action: 'webhook_secret.revealed', by })
  const [secret] = (await readSigningSecrets(ctx, [tenant_id])).get(tenant_id) ?? []
  if (secret === undefined) throw new Error('a tenant has no webhook secret')
  return { secret, state: await describeSecret(ctx, tenant_id) }
}
