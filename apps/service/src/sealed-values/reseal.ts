import { auditKeyUse } from '../audit/log/open-log.ts'
import type { Context } from '../context.ts'
import { mailUse } from '../mail/content.ts'
import { alertSecretUse } from '../notifications/webhook/secret.ts'
import { subjectKeyUse } from '../openid-provider/issuer/ensure-issuer.ts'
import { signingKeyUse } from '../openid-provider/issuer/make-keys.ts'
import { resealOldValues } from '../platform/keyring/reseal.ts'
import { certificateKeyUse } from '../trust/identity/open-identity.ts'
import { sandboxIssuerUse } from '../trust/sandbox/open-issuer.ts'
import { webhookSecretUse } from '../webhooks/secrets/seal-secret.ts'

/** What the values of each column are sealed for. */
const uses: Readonly<Record<string, string>> = {
  'webhook_secrets.sealed': webhookSecretUse,
  'webhook_endpoints.sealed': webhookSecretUse,
  'webhook_endpoints.previous_sealed': webhookSecretUse,
  'alert_webhooks.sealed': alertSecretUse,
  'alert_webhooks.previous_sealed': alertSecretUse,
  'mail_queue.sealed': mailUse,
  'access_certificates.sealed_key': certificateKeyUse,
  'audit_log.sealed_key': auditKeyUse,
  'sandbox_issuer.sealed': sandboxIssuerUse,
  'openid_issuers.sealed': subjectKeyUse,
  'openid_keys.sealed': signingKeyUse,
}

/** Seals some values of older keys again. False if nothing is left, or if nothing of a whole batch could be sealed again. */
export async function resealValues(
  { db, keyring, log, metrics }: Pick<Context, 'db' | 'keyring' | 'log' | 'metrics'>,
  signal: AbortSignal,
): Promise<boolean> {
  const resealed = await resealOldValues({ db, keyring, log, uses }, signal)
  metrics.resealedValues.inc(resealed)
  return resealed > 0
}
