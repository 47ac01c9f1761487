import type { DcRequests } from '@vidimus/contract'
import {
  buildAnnexCRequest,
  buildDcApiRequest,
  dcProtocols,
  findRegistrationToken,
  makeEncryptionKey,
  signRequest,
} from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { type Identity, getIdentity, isOwnCertificate } from '../../trust/index.ts'
import { deriveSecrets } from './derive-secrets.ts'
import type { OpenVerification } from './find-open-verification.ts'
import { loadWalletQuery } from './load-query.ts'

type DcRequest = DcRequests['requests'][number]

/**
 * The verification's requests for the Digital Credentials API, for pages of one origin. Reading them changes nothing and is not
 * counted: a page fetches them before its holder decides anything.
 */
export async function serveDcRequests(
  ctx: Context,
  verification: OpenVerification,
  origin: string,
): Promise<DcRequests> {
  const identity = await getIdentity(ctx, verification.certificate)
  const asked = { ...verification, query: await loadWalletQuery(ctx, verification) }
  const [openid4vp, annexC] = await Promise.all([
    buildOpenId4VpRequest(ctx, asked, { identity, origin }),
    buildIsoRequest(ctx, asked, { identity, origin }),
  ])
  return { requests: annexC === undefined ? [openid4vp] : [openid4vp, annexC] }
}

type RequestParties = { identity: Identity; origin: string }

async function buildOpenId4VpRequest(
  { keyring }: Context,
  { seed, query, purpose, now_seconds, expires_at_seconds }: OpenVerification,
  { identity, origin }: RequestParties,
): Promise<DcRequest> {
  const { nonce, encryption_material } = deriveSecrets(keyring, seed, { kind: 'dc_api', origin })
  const request = buildDcApiRequest({
    client_id: identity.client_id,
    origin,
    nonce,
    dcql_query: query,
    encryption_jwk: makeEncryptionKey(encryption_material).jwk,
    issued_at: Math.floor(now_seconds),
    expires_at: expires_at_seconds,
    ...(purpose !== null && { purpose }),
    ...(identity.verifier_info !== undefined && { verifier_info: identity.verifier_info }),
  })
  const signed = await signRequest(request, identity, identity.sign)
  return { protocol: dcProtocols.dc_api, data: { request: signed } }
}

/**
 * Only a certificate of the tenant itself says who reads: the service's own names nobody that a holder knows, unless a
 * registration certificate names the tenant and the service as its intermediary.
 */
async function buildIsoRequest(
  ctx: Context,
  { tenant_id, certificate, seed, query, change_version }: OpenVerification,
  { identity, origin }: RequestParties,
): Promise<DcRequest | undefined> {
  const registration = findRegistrationToken(identity.verifier_info)
  const signs =
    registration !== undefined || (await isOwnCertificate(ctx, tenant_id, certificate, change_version))
  const { nonce, encryption_material } = deriveSecrets(ctx.keyring, seed, { kind: 'annex_c', origin })
  const data = await buildAnnexCRequest({
    dcql_query: query,
    nonce,
    encryption_key: makeEncryptionKey(encryption_material),
    origin,
    ...(signs && { reader: identity }),
    registration,
  })
  return data && { protocol: dcProtocols.annex_c, data }
}
