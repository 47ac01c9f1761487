import { X509Certificate } from 'node:crypto'
import { type AccessCertificate, accessKinds } from '@vidimus/contract'
import { checkIdentity } from '@vidimus/protocol'
import { lockMaker } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import { type KeyPrincipal, type Member, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { readClock } from '../../engine/db/index.ts'
import type { TrustContext } from '../context.ts'
import { type IdentityContext, getIdentity, getIdentityHash } from './get-identity.ts'
import { type Identity, readChain, readDerChain, readIdentity, sealKey } from './open-identity.ts'
import {
  type TenantCertificateRow,
  findCertificate,
  insertCertificate,
  isSelfMade,
  readTenantCertificatePage,
  setTenantIdentity,
} from './store.ts'

export type SetIdentity = {
  tenant_id: string
  /** A member or a key of the tenant; absent: the operator who runs the command. */
  by?: Member | KeyPrincipal
  /** PEM: the chain, leaf first, and its key. `null`: back to the service's own. */
  certificate: { chain: string; key: string } | null
}

/** Sets the access certificate of a tenant's future verifications. Open verifications keep the one they were created with. */
export async function setIdentity(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { tenant_id, by, certificate }: SetIdentity,
): Promise<void> {
  const identity = certificate && readCertificate(certificate, new Date(await readClock(db)))
  const actor = by ?? ({ kind: 'operator', tenant_id } as const)
  await db.transaction(async (tx) => {
    const maker = await lockMaker(tx, actor, ...accessKinds.access_certificate.needs)
    if (certificate !== null && identity !== null)
      await insertCertificate(tx, {
        hash: identity.hash,
        chain: certificate.chain,
        sealed_key: sealKey(keyring, certificate.key),
        key_uri: null,
        tenant_id: null,
        self_made: false,
      })
    const known = await setTenantIdentity(tx, {
      tenant_id,
      certificate: identity?.hash ?? null,
      created_by: maker.member_id,
    })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await appendAudit(tx, {
      action: 'tenant.identity_changed',
      by: actor,
      detail: { client_id: identity?.client_id ?? null },
    })
  })
}

type CertifiedIdentity = Omit<Identity, 'sign'>

/** Refuses what no wallet would accept. Without a key, which is elsewhere, only the chain is read. */
export function readCertificate(
  { chain, key }: { chain: string; key?: string },
  now: Date,
): CertifiedIdentity {
  let identity: CertifiedIdentity
  try {
    identity = key === undefined ? readChain(chain) : readIdentity(chain, key)
  } catch (error) {
    // OpenSSL throws if the certificate or the key is malformed, identifyVerifier if no wallet would accept the chain.
    throw certificateRefusal(error instanceof Error ? error.message : 'it cannot be read')
  }
  const { validFromDate, validToDate } = new X509Certificate(chain)
  if (now < validFromDate || now > validToDate) throw certificateRefusal('it is not valid now')
  return identity
}

export function certificateRefusal(why: string): Refusal {
  return new Refusal('invalid_request', `The certificate was not accepted: ${why}.`)
}

/** When the access certificate that a tenant has set itself ends. */
export type CertificateEnd = { tenant_id: string; fingerprint: string; subject: string; expires_at: string }

const pageSize = 200

/** The ends of every tenant's own certificate, page by page. */
export async function* listCertificateEnds({ db }: Pick<Context, 'db'>): AsyncGenerator<CertificateEnd[]> {
  let after: Omit<TenantCertificateRow, 'chain'> = {
    tenant_id: '00000000-0000-0000-0000-000000000000',
    hash: Buffer.alloc(0),
  }
  for (;;) {
    const rows = await readTenantCertificatePage(db, { after, limit: pageSize })
    yield rows.map(({ tenant_id, hash, chain }) => {
      const { subject, validToDate } = new X509Certificate(chain)
      return {
        tenant_id,
        fingerprint: hash.toString('hex'),
        subject: subject.split('\n').join(', '),
        expires_at: validToDate.toISOString().replace('Z', '000Z'),
      }
    })
    if (rows.length < pageSize) return
    after = rows.at(-1) ?? after
  }
}

const hash_bytes = 32

/** The certificate that signs the requests of a tenant's new verifications: the tenant's own, or the service's. */
export async function describeAccessCertificate(
  ctx: IdentityContext & Pick<TrustContext, 'identity'>,
  tenant_id: string,
): Promise<AccessCertificate> {
  const hash = (await getIdentityHash(ctx, tenant_id)).subarray(0, hash_bytes)
  const row = await findCertificate(ctx.db, hash)
  if (row === undefined) throw new Error('The certificate in use is not in the database.')
  const leaf = new X509Certificate(row.chain)
  const service = (await ctx.identity()).hash
  return {
    own: !service.equals(hash),
    self_made: await isSelfMade(ctx.db, hash),
    subject: joinNameParts(leaf.subject),
    issuer: joinNameParts(leaf.issuer),
    valid_from: toTimestamp(leaf.validFromDate),
    expires_at: toTimestamp(leaf.validToDate),
    fingerprint: hash.toString('hex'),
    client_id: (await getIdentity(ctx, hash)).client_id,
    findings: checkIdentity({
      ecosystem: 'eu',
      certificates: readDerChain(row.chain),
      now: Date.parse(await readClock(ctx.db)) / 1000,
    }),
  }
}

/** OpenSSL writes each part of a name on its own line. */
function joinNameParts(name: string): string {
  return name.split('\n').join(', ')
}

function toTimestamp(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}
