import type { Environment } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import { readEndpointSecrets } from '../endpoints/store.ts'
import type { WebhookEvent } from '../event.ts'
import { readSecrets, unsealSecret } from '../../../accounts/index.ts'

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
