import { boundedMap, type BoundedMap, type VerifierAttestation } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { openStoredIdentity, type Identity } from './open-identity.ts'
import { findCertificate, findVerifierInfo } from './store.ts'

export type IdentityContext = Pick<Context, 'db' | 'keyring' | 'signingToken'>

const maxCached = 1000
const hash_bytes = 32
const caches = new WeakMap<Context['db'], BoundedMap<string, Identity>>()

/**
 * The identity that a session was created with, whatever the current one of the service or the tenant is. A hash always names
 * the same identity, so opened identities are cached.
 */
export async function getIdentity(ctx: IdentityContext, hash: Buffer): Promise<Identity> {
  const identities = caches.get(ctx.db) ?? boundedMap<string, Identity>(maxCached)
  caches.set(ctx.db, identities)
  const name = hash.toString('base64')
  const known = identities.get(name)
  if (known !== undefined) return known
  const identity = await openIdentityByHash(ctx, hash)
  identities.set(name, identity)
  return identity
}

async function openIdentityByHash(
  { db, keyring, signingToken }: IdentityContext,
  hash: Buffer,
): Promise<Identity> {
  const row = await findCertificate(db, hash.subarray(0, hash_bytes))
  if (row === undefined) throw new Error('A session refers to a certificate that is not in the database.')
  const identity = await openStoredIdentity({ keyring, signingToken }, row)
  if (hash.length === hash_bytes) return identity

  const info = await findVerifierInfo(db, hash.subarray(hash_bytes))
  if (info === undefined) throw new Error('A session refers to a verifier_info that is not in the database.')
  // Validated when it was set, and unchanged since: it is stored under its hash.
  return { ...identity, hash, verifier_info: JSON.parse(info) as VerifierAttestation[] }
}
