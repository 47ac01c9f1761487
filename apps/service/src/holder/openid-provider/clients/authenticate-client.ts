import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { hashClientSecret, isClientSecret } from './create-client.ts'
import { type ClientRow, readClient, readClientWithHashes } from './store.ts'

type ClientKey = { tenant_id: string; client_id: string }

/** A client of a tenant, in either environment. */
export function findClient(db: Db, { tenant_id, client_id }: ClientKey): Promise<ClientRow | undefined> {
  return readClient(db, { tenant_id, id: client_id })
}

/**
 * The client, if the secret is one that works now, or if the client has none and none is presented. One statement reads client and
 * secrets, so a deletion or a roll that was acknowledged before applies.
 */
export async function authenticateClient(
  { db }: Pick<Context, 'db'>,
  { tenant_id, client_id, secret }: ClientKey & { secret: string | undefined },
): Promise<ClientRow | undefined> {
  const found = await readClientWithHashes(db, { tenant_id, id: client_id })
  if (found === undefined) return undefined
  const { hashes, ...client } = found
  // A client without a secret that presents one is configured wrongly, or is not this client.
  if (client.authentication === 'none') return secret === undefined ? client : undefined
  if (secret === undefined || !isClientSecret(secret)) return undefined
  const presented = hashClientSecret(secret)
  // Every hash is compared, so that the time does not tell which one matches.
  const matches = hashes.filter((each) => timingSafeEqual(Buffer.from(each, 'hex'), presented))
  return matches.length > 0 ? client : undefined
}
