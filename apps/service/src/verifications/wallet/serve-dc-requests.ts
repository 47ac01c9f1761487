import type { DcRequests, EcosystemName } from '@vidimus/contract'
import {
  buildAnnexCRequest,
  buildDcApiRequest,
  dcProtocols,
  findRegistrationToken,
  makeEncryptionKey,
  multiSignedProtocol,
  signRequest,
  signRequestByAll,
} from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import {
  type AdditionalIdentity,
  type Identity,
  getEcosystemIdentities,
  getIdentity,
  isOwnCertificate,
} from '../../trust/index.ts'
import { deriveSecrets } from './derive-secrets.ts'
import type { OpenVerification } from './find-open-verification.ts'
import { loadWalletQuery } from './load-query.ts'

type DcRequest = DcRequests['requests'][number]

/**
 * Who signs a request of OpenID4VP beside the access certificate. Annex C is signed by all, and Apple's wallet reads nothing else.
 * Google's reads only a request that its identity signs alone. Those signed together are for wallets that trust any of the others.
 */
const signsOpenId4Vp: Record<EcosystemName, 'alone' | 'together' | 'never'> = {
  apple: 'never',
  google: 'alone',
  iso: 'together',
}

/**
 * The verification's requests for the Digital Credentials API, for pages of one origin: one plan for the wallets of every ecosystem, those
 * of the EU first, because a wallet may read only the first of a protocol. A response is bound to origin, nonce and encryption key and not
 * to who signed, so all are answered alike. Reading them changes nothing and is not counted: a page fetches them before its holder decides
 * anything.
 */
export async function serveDcRequests(
  ctx: Context,
  verification: OpenVerification,
  origin: string,
): Promise<DcRequests> {
  const [identity, others, query] = await Promise.all([
    getIdentity(ctx, verification.certificate),
    getEcosystemIdentities(ctx, verification, verification.change_version),
    loadWalletQuery(ctx, verification),
  ])
  const asked = { ...verification, query }
  const parties = { identity, others, origin }
  const [openid4vp, annexC] = await Promise.all([
    buildOpenId4VpRequests(ctx, asked, parties),
    buildIsoRequest(ctx, asked, parties),
  ])
  return { requests: annexC === undefined ? openid4vp : [...openid4vp, annexC] }
}

type RequestParties = { identity: Identity; others: readonly AdditionalIdentity[]; origin: string }
type Signer = Identity & { rp_metadata?: Buffer | null }

async function buildOpenId4VpRequests(
  { keyring }: Context,
  { seed, query, purpose, now_seconds, expires_at_seconds }: OpenVerification,
  { identity, others, origin }: RequestParties,
): Promise<DcRequest[]> {
  const { nonce, encryption_material } = deriveSecrets(keyring, seed, { kind: 'dc_api', origin })
  const encryption_jwk = makeEncryptionKey(encryption_material).jwk
  const buildFor = ({ client_id, verifier_info }: Signer, metadata: Signer['rp_metadata'] = null) =>
    buildDcApiRequest({
      client_id,
      origin,
      nonce,
      dcql_query: query,
      encryption_jwk,
      issued_at: Math.floor(now_seconds),
      expires_at: expires_at_seconds,
      ...(purpose !== null && { purpose }),
      ...(verifier_info !== undefined && { verifier_info }),
      ...(metadata !== null && {
        extra_metadata: { gw_rp_metadata_bytes: metadata.toString('base64url') },
      }),
    })

  const alone: Signer[] = [identity, ...others.filter((each) => signsOpenId4Vp[each.ecosystem] === 'alone')]
  const signed = alone.map(async (signer) => ({
    protocol: dcProtocols.dc_api,
    data: { request: await signRequest(buildFor(signer, signer.rp_metadata), signer, signer.sign) },
  }))
  const together = others.filter((each) => signsOpenId4Vp[each.ecosystem] !== 'never')
  if (together.length === 0) return Promise.all(signed)
  const metadata = together.find(({ rp_metadata }) => rp_metadata !== null)?.rp_metadata
  const multiSigned = async () => ({
    protocol: multiSignedProtocol,
    data: { request: await signRequestByAll(buildFor(identity, metadata), [identity, ...together]) },
  })
  return Promise.all([...signed, multiSigned()])
}

async function buildIsoRequest(
  ctx: Context,
  verification: OpenVerification,
  { identity, origin }: RequestParties,
): Promise<DcRequest | undefined> {
  const { seed, query } = verification
  const { nonce, encryption_material } = deriveSecrets(ctx.keyring, seed, { kind: 'annex_c', origin })
  const data = await buildAnnexCRequest({
    dcql_query: query,
    nonce,
    encryption_key: makeEncryptionKey(encryption_material),
    origin,
    ...(await findReaders(ctx, verification, identity)),
  })
  return data && { protocol: dcProtocols.annex_c, data }
}

/**
 * Who signs a DeviceRequest, and under which registration. Only a certificate of the tenant itself says who reads: the service's own
 * names nobody that a holder knows, unless a registration certificate names the tenant and the service as its intermediary. Identities
 * for other ecosystems always sign.
 */
export async function findReaders(
  ctx: Context,
  verification: OpenVerification,
  identity: Identity,
): Promise<{ reader?: Identity; other_readers: Identity[]; registration: string | undefined }> {
  const { tenant_id, certificate, change_version } = verification
  const registration = findRegistrationToken(identity.verifier_info)
  const signs =
    registration !== undefined || (await isOwnCertificate(ctx, tenant_id, certificate, change_version))
  const other_readers = await getEcosystemIdentities(ctx, verification, change_version)
  return { ...(signs && { reader: identity }), other_readers, registration }
}
