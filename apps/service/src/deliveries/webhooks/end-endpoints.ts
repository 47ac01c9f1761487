import { deliveryErrors } from '@vidimus/contract'
import { insertSecret, newSealedSecret, retireSecrets } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { deleteEndpointRow, replaceEndpointSecret, updateEndpoint } from './endpoints/store.ts'
import { eventKey } from './event.ts'
import {
  type EndpointKey,
  type QueuedEventKey,
  type SecretKey,
  logAsUnknown,
  readEndpointPage,
  readQueuedEventPage,
  readSecretPage,
} from './ended-store.ts'

const cause = 'restore'

/**
 * Secrets that were rotated. The restore lost their successors, so they are rotated again: the old one signs for another day beside a
 * new one, which members find in the dashboard.
 */
export function endedSecrets(keyring: Keyring): EndedRows<SecretKey> {
  return {
    kind: 'webhook_secret',
    readPage: readSecretPage,
    ledgerIds: (secret) => [secretLedgerId(secret)],
    async end(tx, { tenant_id, environment }) {
      await retireSecrets(tx, { tenant_id, environment })
      await insertSecret(tx, { tenant_id, environment, sealed: newSealedSecret(keyring).sealed })
      await appendAudit(tx, {
        action: 'webhook_secret.rotated',
        by: { kind: 'operator', tenant_id },
        detail: { environment, cause },
      })
    },
  }
}

/** The ledger's id for a tenant's secret. A restored database may reuse a row's id, but never its time of creation. */
export function secretLedgerId({
  tenant_id,
  environment,
  created_at,
}: {
  tenant_id: string
  environment: string
  created_at: string
}): string {
  return `${tenant_id} ${environment} ${created_at}`
}

/** Secrets of endpoints that were rotated. Each gets a new one that nobody has seen, so a member rotates it once more. */
export function endedEndpointSecrets(keyring: Keyring): EndedRows<EndpointKey> {
  return {
    kind: 'webhook_secret',
    readPage: readEndpointPage,
    ledgerIds: (endpoint) => [endpointSecretLedgerId(endpoint)],
    async end(tx, endpoint) {
      const { tenant_id, environment, id } = endpoint
      await replaceEndpointSecret(tx, endpoint, { id, sealed: newSealedSecret(keyring).sealed })
      await appendAudit(tx, {
        action: 'webhook_endpoint.secret_rotated',
        by: { kind: 'operator', tenant_id },
        subject: id,
        detail: { environment, cause },
      })
    },
  }
}

export function endpointSecretLedgerId({
  id,
  secret_created_at,
}: Pick<EndpointKey, 'id' | 'secret_created_at'>): string {
  return `${id} ${secret_created_at}`
}

/** Endpoints that were deleted, disabled or given another URL. The last two are disabled, so that the old URL gets nothing. */
export const endedEndpoints: EndedRows<EndpointKey> = {
  kind: 'webhook_endpoint',
  readPage: readEndpointPage,
  ledgerIds: (endpoint) => [endpoint.id, ...(endpoint.enabled ? [endpointUrlLedgerId(endpoint)] : [])],
  async end(tx, endpoint, ended) {
    const { tenant_id, environment, id } = endpoint
    const deleted = ended.has(id)
    if (deleted) await deleteEndpointRow(tx, endpoint, id)
    else await updateEndpoint(tx, endpoint, id, { enabled: false })
    await appendAudit(tx, {
      action: deleted ? 'webhook_endpoint.deleted' : 'webhook_endpoint.changed',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { environment, cause, ...(!deleted && { enabled: false }) },
    })
  },
}

/** The ledger's id for an endpoint with this URL. */
export function endpointUrlLedgerId({ id, url }: { id: string; url: string }): string {
  return `${id} ${url}`
}

const pageSize = 1000

/**
 * Removes the events for which `wasDelivered` is true from a restored queue. The log shows each as an attempt whose outcome is unknown,
 * and members can resend it. Returns how many were removed.
 */
export async function skipDelivered(
  { db }: Pick<Context, 'db'>,
  wasDelivered: (key: string) => boolean,
): Promise<number> {
  let after: QueuedEventKey | undefined
  let skipped = 0
  for (;;) {
    const page = await readQueuedEventPage(db, { after, limit: pageSize })
    const events = page.filter((event) => wasDelivered(eventKey(event)))
    if (events.length > 0) skipped += await logAsUnknown(db, { events, error: deliveryErrors.restored })
    after = page.at(-1)
    if (after === undefined || page.length < pageSize) return skipped
  }
}
