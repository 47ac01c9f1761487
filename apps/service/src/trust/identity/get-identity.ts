import type { VerifierAttestation } from '@vidimus/protocol'
import type { Context } from '../../context.ts'
import { unsealIdentity, type Identity } from './open-identity.ts'
import { findCertificate, findVerifierInfo } from './store.ts'

const maxCached = 1000
const hash_bytes = 32
const caches = new WeakMap<Context['db'], Map<string, Identity>>()

/**
 * The identity that a session was created with, whatever the service's or its tenant's is now. What a hash names never
 * changes, so what was opened once is kept; the oldest go first.
 */
export async function getIdentity(ctx: Pick<Context, 'db' | 'keyring'>, hash: Buffer): Promise<Identity> {
  const identities = caches.get(ctx.db) ?? new Map<string, Identity>()
  caches.set(ctx.db, identities)
  const name = hash.toString('base64')
  const known = identities.get(name)
  if (known !== undefined) return known
  const identity = await openIdentityByHash(ctx, hash)
  identities.set(name, identity)
  const [oldest] = identities.keys()
  if (identities.size > maxCached && oldest !== undefined) identities.delete(oldest)
  return identity
}

async function openIdentityByHash(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  hash: Buffer,
): Promise<Identity> {
  const row = await findCertificate(db, hash.subarray(0, hash_bytes))
  if (row === undefined) throw new Error('a session names a certificate that is not here')
  const identity = await unsealIdentity(keyring, row)
  if (hash.length === hash_bytes) return identity

  const info = await findVerifierInfo(db, hash.subarray(hash_bytes))
  if (info === undefined) throw new Error('a session names a verifier_info that is not here')
  // Checked when it was set, and never changed since: its hash names it.
  return { ...identity, hash, verifier_info: JSON.parse(info) as VerifierAttestation[] }
}
