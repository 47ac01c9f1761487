import type { EcosystemIdentity, EcosystemName, Environment } from '@vidimus/contract'
import { X509Certificate } from 'node:crypto'
import { accessKinds } from '@vidimus/contract'
import { checkIdentity, readRelyingPartyMetadata } from '@vidimus/protocol'
import { lockMaker } from '../../accounts/index.ts'
import { type RecordOperation, appendAudit } from '../../audit/index.ts'
import { type KeyPrincipal, type Member, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type ChangeVersion, type Db, readClock, validatedCache } from '../../engine/db/index.ts'
import { HsmKeyError, openHsmSigner, provesKey, readHsmKey, writeHsmKey } from '../../engine/keyring/index.ts'
import { type IdentityContext, getIdentity } from './get-identity.ts'
import { type Identity, readDerChain, sealKey } from './open-identity.ts'
import type { IssueGoogleIdentity } from './issue-google-identity.ts'
import { certificateRefusal, readCertificate } from './set-identity.ts'
import {
  type EcosystemIdentityKey,
  type EcosystemIdentityRow,
  deleteEcosystemIdentity,
  insertCertificate,
  putEcosystemIdentity,
  readEcosystemIdentities,
} from './store.ts'

type StoredIdentity = EcosystemIdentityRow & { chain: string }

/** Who asks in an ecosystem: for a member the tenant's own, for the operator the one of every tenant that has none, recorded by `record`. */
export type IdentityOwner =
  | { tenant_id: string; by?: Member | KeyPrincipal; record?: undefined }
  | { tenant_id: null; by?: undefined; record: RecordOperation }

export type SetEcosystemIdentity = IdentityOwner & {
  ecosystem: EcosystemName
  environment: Environment
  /** PEM: the chain, leaf first, and its key, or the URI of the key in the HSM. */
  certificate: { chain: string } & ({ key: string } | { key_uri: string })
  /** Google's RelyingPartyMetadataBytes. */
  metadata?: Uint8Array
}

/** Sets the identity that signs for the wallets of an ecosystem, beside the access certificate. Requests carry it at once. */
export async function setEcosystemIdentity(ctx: IdentityContext, given: SetEcosystemIdentity): Promise<void> {
  const { db } = ctx
  const { tenant_id, ecosystem, environment, certificate, metadata } = given
  requireMetadata(ecosystem, metadata)
  const { identity, ...key } = await readSigner(ctx, certificate, new Date(await readClock(db)))
  await db.transaction(async (tx) => {
    const maker = await lockOwner(tx, given)
    await insertCertificate(tx, {
      hash: identity.hash,
      chain: certificate.chain,
      ...key,
      tenant_id: null,
      self_made: false,
    })
    const row = {
      tenant_id,
      ecosystem,
      environment,
      certificate: identity.hash,
      rp_metadata: metadata === undefined ? null : Buffer.from(metadata),
    }
    const known = await putEcosystemIdentity(tx, { ...row, created_by: maker?.member_id ?? null })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await recordChange(tx, given, { client_id: identity.client_id })
  })
}

export type IssueIdentity = Omit<IssueGoogleIdentity, 'now'> & { environment: Environment }

/** Issues a tenant's identity for Google Wallet as the operator's verifier registrar, and sets it. */
export async function issueEcosystemIdentity(
  ctx: IdentityContext,
  { environment, ...given }: IssueIdentity,
): Promise<void> {
  // Imported here because it loads the whole sandbox.
  const { issueGoogleIdentity } = await import('./issue-google-identity.ts')
  const issued = issueGoogleIdentity({ ...given, now: new Date(await readClock(ctx.db)) })
  await setEcosystemIdentity(ctx, {
    tenant_id: given.tenant_id,
    ecosystem: 'google',
    environment,
    ...issued,
  })
}

/** Back to the operator's, or to none. False if there was none to remove. */
export async function removeEcosystemIdentity(
  { db }: Pick<Context, 'db'>,
  given: IdentityOwner & Omit<EcosystemIdentityKey, 'tenant_id'>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockOwner(tx, given)
    const removed = await deleteEcosystemIdentity(tx, given)
    if (removed) await recordChange(tx, given, { client_id: null })
    return removed
  })
}

async function readSigner(
  { keyring, signingHsm }: IdentityContext,
  certificate: SetEcosystemIdentity['certificate'],
  now: Date,
) {
  if ('key' in certificate) {
    const identity = readCertificate(certificate, now)
    return { identity, sealed_key: sealKey(keyring, certificate.key), key_uri: null }
  }
  const key = readHsmKey(certificate.key_uri)
  if ('problem' in key) throw certificateRefusal(`the URI of its key ${key.problem}`)
  const identity = readCertificate(certificate, now)
  await signingHsm?.open()
  try {
    const isOfKey = await provesKey(
      openHsmSigner(signingHsm, key.value),
      new X509Certificate(certificate.chain).publicKey,
    )
    if (!isOfKey) throw certificateRefusal('the key does not belong to the certificate')
  } catch (error) {
    // The token has no such key, or cannot be opened.
    if (error instanceof HsmKeyError) throw certificateRefusal(error.reason)
    throw error
  }
  return { identity, sealed_key: null, key_uri: writeHsmKey(key.value) }
}

function requireMetadata(ecosystem: EcosystemName, metadata: Uint8Array | undefined): void {
  if ((ecosystem === 'google') !== (metadata !== undefined))
    throw certificateRefusal('an identity for Google Wallet, and no other, has metadata')
  const read = metadata && readRelyingPartyMetadata(metadata)
  if (read !== undefined && 'error' in read) throw certificateRefusal(`in its metadata, ${read.error}`)
}

async function lockOwner(tx: Db, { tenant_id, by }: IdentityOwner) {
  if (tenant_id === null) return undefined
  const actor = by ?? ({ kind: 'operator', tenant_id } as const)
  return lockMaker(tx, actor, ...accessKinds.access_certificate.needs)
}

async function recordChange(
  tx: Db,
  { tenant_id, by, record, ecosystem, environment }: IdentityOwner & Omit<EcosystemIdentityKey, 'tenant_id'>,
  change: { client_id: string | null },
): Promise<void> {
  const detail = { ecosystem, environment, ...change }
  if (tenant_id === null) return record(tx, detail)
  const actor = by ?? ({ kind: 'operator', tenant_id } as const)
  await appendAudit(tx, { action: 'tenant.identity_changed', by: actor, detail })
}

/** Copies with the operator's identities, since these are used by tenants without any. */
const storedIdentities = validatedCache<string, StoredIdentity[]>({
  maxBatch: 100,
  maxWaiting: 5000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { asOf, rows } = await readEcosystemIdentities(db, ids)
    return { asOf, values: ids.map((id) => rows.filter(({ tenant_id }) => (tenant_id ?? id) === id)) }
  },
})

/** An identity that signs beside the access certificate. */
export type AdditionalIdentity = Identity & { ecosystem: EcosystemName; rp_metadata: Buffer | null }

/** The identities for other wallets than those of the EU: of each ecosystem the tenant's own, or the operator's. */
export async function getEcosystemIdentities(
  ctx: IdentityContext,
  { tenant_id, environment }: { tenant_id: string; environment: Environment },
  version?: ChangeVersion,
): Promise<AdditionalIdentity[]> {
  return Promise.all(
    (await readStoredIdentities(ctx, tenant_id, version))
      .filter((each) => each.environment === environment)
      .map(async ({ ecosystem, certificate, rp_metadata }) => ({
        ...(await getIdentity(ctx, certificate)),
        ecosystem,
        rp_metadata,
      })),
  )
}

/** Of each ecosystem and environment the tenant's own, or the operator's. */
export async function readStoredIdentities(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  version?: ChangeVersion,
): Promise<StoredIdentity[]> {
  return chooseOwn((await storedIdentities.at(db, version, tenant_id)) ?? [])
}

function chooseOwn(stored: readonly StoredIdentity[]): StoredIdentity[] {
  return stored.filter(
    (each) =>
      each.tenant_id !== null ||
      !stored.some(
        ({ tenant_id, ecosystem, environment }) =>
          tenant_id !== null && ecosystem === each.ecosystem && environment === each.environment,
      ),
  )
}

/** Every identity that a tenant's requests carry, or with null those of the operator, with what its ecosystem would refuse. */
export async function listEcosystemIdentities(
  { db }: Pick<Context, 'db'>,
  tenant_id: string | null,
  hosts: readonly string[],
): Promise<EcosystemIdentity[]> {
  const now = Date.parse(await readClock(db)) / 1000
  const { rows } = await readEcosystemIdentities(db, tenant_id === null ? [] : [tenant_id])
  return chooseOwn(rows).map((row) => {
    const { ecosystem, environment, chain, certificate, rp_metadata: metadata } = row
    const leaf = new X509Certificate(chain)
    return {
      ecosystem,
      environment,
      own: row.tenant_id !== null,
      subject: leaf.subject.split('\n').join(', '),
      expires_at: leaf.validToDate.toISOString().replace('Z', '000Z'),
      fingerprint: certificate.toString('hex'),
      findings: checkIdentity({
        ecosystem,
        certificates: readDerChain(chain),
        ...(metadata !== null && { metadata }),
        hosts,
        now,
      }),
    }
  })
}
