import type { Environment, WebhookSecret, WebhookSecretState } from '@vidimus/contract'
import {
  insertSecret,
  newSealedSecret,
  readSecretState,
  readSecrets,
  retireSecrets,
  unsealSecret,
} from '../../../accounts/index.ts'
import { type NewAuditEntry, type RecordOperation, appendAudit } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import { secretLedgerId } from '../end-endpoints.ts'
import { readEndpointSecrets } from '../endpoints/store.ts'
import type { WebhookEvent } from '../event.ts'

/** The active secrets of one tenant in an environment, newest first. */
export async function readTenantSecrets(
  ctx: Pick<Context, 'db' | 'keyring'>,
  owner: { tenant_id: string; environment: Environment },
): Promise<string[]> {
  const [secrets] = await readSigningSecrets(ctx, [{ ...owner, endpoint_id: '' }])
  if (secrets === undefined) throw new Error('The tenant has no webhook secret.')
  return secrets
}

type Receiver = Pick<WebhookEvent, 'tenant_id' | 'environment' | 'endpoint_id'>

/**
 * What the message of each event is signed with: the active secrets of its endpoint, or of its tenant in its environment, newest
 * first: one, or two for a day after a rotation. Undefined if the endpoint is gone.
 */
export async function readSigningSecrets(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  receivers: readonly Receiver[],
): Promise<(string[] | undefined)[]> {
  const ofEndpoints = receivers.filter(({ endpoint_id }) => endpoint_id !== '')
  const ofTenants = receivers.filter(({ endpoint_id }) => endpoint_id === '')
  const rows = [
    ...(ofTenants.length === 0 ? [] : await readSecrets(db, distinct(ofTenants))),
    ...(ofEndpoints.length === 0 ? [] : await readEndpointSecrets(db, distinct(ofEndpoints))),
  ]
  const secrets = new Map<string, string[]>()
  for (const row of rows) {
    const key = receiverKey({ endpoint_id: '', ...row })
    const found = secrets.get(key) ?? []
    found.push(await unsealSecret(keyring, row.sealed))
    secrets.set(key, found)
  }
  return receivers.map((receiver) => secrets.get(receiverKey(receiver)))
}

/** The same from secrets that were read with the events of a claim. */
export async function unsealSecrets(
  keyring: Keyring,
  events: readonly { sealed: string | null }[],
): Promise<(string[] | undefined)[]> {
  const unsealed = new Map<string, string[]>()
  for (const { sealed } of events) {
    if (sealed === null || unsealed.has(sealed)) continue
    const secrets: string[] = []
    for (const each of sealed.split(' '))
      secrets.push(await unsealSecret(keyring, Buffer.from(each, 'base64')))
    unsealed.set(sealed, secrets)
  }
  return events.map(({ sealed }) => (sealed === null ? undefined : unsealed.get(sealed)))
}

function receiverKey({ tenant_id, environment, endpoint_id }: Receiver): string {
  return `${tenant_id} ${environment} ${endpoint_id}`
}

function distinct(receivers: readonly Receiver[]): Receiver[] {
  return [...new Map(receivers.map((receiver) => [receiverKey(receiver), receiver])).values()]
}

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

/**
 * Gives a tenant a new secret in one environment, which is shown once. The previous one keeps signing for a day, so that receivers
 * can be updated in that time; an even older one stops now (HOOK-3). The other environment keeps its secret.
 */
export async function rotateWebhookSecret(
  { db, keyring, ledger }: Pick<Context, 'db' | 'keyring' | 'ledger'>,
  {
    by,
    environment,
    record,
  }: { by: NewAuditEntry['by']; environment: Environment; record?: RecordOperation },
): Promise<string> {
  const { tenant_id } = by
  const { secret, sealed } = newSealedSecret(keyring)
  await db.transaction(async (tx) => {
    const retired = await retireSecrets(tx, { tenant_id, environment })
    if (retired.length === 0) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)

    await insertSecret(tx, { tenant_id, environment, sealed })
    await appendAudit(tx, { action: 'webhook_secret.rotated', by, detail: { environment } })
    await record?.(tx, { tenant_id, environment })
    await ledger.record(
      tx,
      retired.map((created_at) => ({
        kind: 'webhook_secret',
        id: secretLedgerId({ tenant_id, environment, created_at }),
      })),
    )
  })
  return secret
}
