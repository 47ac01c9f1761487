import { createHash } from 'node:crypto'
import { type BoundedMap, type VerifierAttestation, boundedMap } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { type ChangeVersion, type Db, validatedCache } from '../../engine/db/index.ts'
import type { TrustContext } from '../context.ts'
import { type Identity, openStoredIdentity } from './open-identity.ts'
import {
  type TenantIdentityRow,
  findCertificate,
  findVerifierInfo,
  insertVerifierInfo,
  readTenantIdentities,
} from './store.ts'

export type IdentityContext = Pick<Context, 'db' | 'keyring' | 'signingHsm'>

const maxCached = 1000
const hash_bytes = 32
const caches = new WeakMap<Context['db'], BoundedMap<string, Identity>>()

/**
 * The identity that a verification was created with, whatever the current one of the service or the tenant is. A hash always names
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
  { db, keyring, signingHsm }: IdentityContext,
  hash: Buffer,
): Promise<Identity> {
  const row = await findCertificate(db, hash.subarray(0, hash_bytes))
  if (row === undefined)
    throw new Error('A verification refers to a certificate that is not in the database.')
  const identity = await openStoredIdentity({ keyring, signingHsm }, row)
  if (hash.length === hash_bytes) return identity

  const info = await findVerifierInfo(db, hash.subarray(hash_bytes))
  if (info === undefined)
    throw new Error('A verification refers to a verifier_info that is not in the database.')
  // Validated when it was set, and unchanged since: it is stored under its hash.
  return { ...identity, hash, verifier_info: JSON.parse(info) as VerifierAttestation[] }
}

type TenantIdentity = Pick<TenantIdentityRow, 'certificate'>

const noIdentity: TenantIdentity = { certificate: null }

/** Most tenants have no identity of their own and no row, so their absence is cached too. */
const tenantIdentities = validatedCache<string, TenantIdentity>({
  maxBatch: 100,
  maxWaiting: 5000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { asOf, rows } = await readTenantIdentities(db, ids)
    const byTenant = new Map(rows.map((row) => [row.tenant_id, row]))
    return { asOf, values: ids.map((id) => byTenant.get(id) ?? noIdentity) }
  },
})

/**
 * Identifies the verifier for verifications that a tenant creates now: the hash of the tenant's certificate, or of the service's own.
 * If the verification carries a `verifier_info`, its hash follows. `getIdentity` opens that identity for as long as the verification
 * exists. A request that has read a change version passes it, which saves a query.
 */
export async function getIdentityHash(
  { db, identity }: Pick<TrustContext, 'db' | 'identity'>,
  tenantId: string,
  version?: ChangeVersion,
): Promise<Buffer> {
  const tenantIdentity = await tenantIdentities.at(db, version, tenantId)
  return tenantIdentity?.certificate ?? (await identity()).hash
}

/** Whether the identity of a verification is the tenant's own certificate, and not the service's. */
export async function isOwnCertificate(
  { db }: Pick<TrustContext, 'db'>,
  tenantId: string,
  hash: Buffer,
  version?: ChangeVersion,
): Promise<boolean> {
  const own = (await tenantIdentities.at(db, version, tenantId))?.certificate ?? undefined
  return own?.equals(hash.subarray(0, own.length)) === true
}

/** Stores a `verifier_info` for as long as verifications may refer to it, and returns the hash by which they do (OpenID4VP 1.0 §5.11). */
export async function keepVerifierInfo(tx: Db, info: readonly VerifierAttestation[]): Promise<Buffer> {
  const body = JSON.stringify(info)
  const hash = createHash('sha256').update(body).digest()
  await insertVerifierInfo(tx, { hash, body })
  return hash
}

/** The stored `verifier_info` as JSON text. */
export async function readVerifierInfo({ db }: Pick<Context, 'db'>, hash: Buffer): Promise<string> {
  const body = await findVerifierInfo(db, hash)
  if (body === undefined) throw new Error('A verifier_info that is in use is not in the database.')
  return body
}
