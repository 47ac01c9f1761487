import { applyAlterations, type Alter, type ResponseDrafts, type ResponseContext } from '../alterations.ts'
import { keyIdentifier } from '../certificates/extensions.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import type { Issuer } from '../issuer/create-issuer.ts'
import { findRootName } from '../issuer/signer.ts'
import { base64url, type JsonObject } from '../keys/sign-jws.ts'
import { encryptDeviceResponse } from './annex-c/encrypt-device-response.ts'
import type { WalletRequest } from './authorization-request.ts'
import type { DcqlQuery } from './dcql.ts'
import { encryptResponse, chooseEncryption } from './encrypt-response.ts'
import { presentCredential } from './present-credential.ts'
import { selectCredentials, type Selection } from './select-credentials.ts'
import { bindToRequest } from './verification-binding.ts'
import type { ResponseForm, Wallet } from './wallet.ts'

/** The protocols of the Digital Credentials API, as requests and responses name them. */
export const dcApiProtocols = { dc_api: 'openid4vp-v1-signed', annex_c: 'org-iso-mdoc' } as const
export const multiSignedProtocol = 'openid4vp-v1-multisigned'

/** Builds the response to a request: presentations, or `access_denied` if no credential satisfies the query. */
export async function buildResponse(
  wallet: Wallet,
  request: WalletRequest,
  now: Date,
): Promise<ResponseForm> {
  const context: ResponseContext = { issuer: wallet.issuer, now, request }
  const alter = applyAlterations<ResponseDrafts, ResponseContext>(wallet.alterations ?? {}, context)
  const selections = selectForWallet(wallet, alter('query', request.dcql_query))
  if (selections === undefined)
    return buildErrorResponse(request, 'access_denied', 'No credential in this wallet satisfies the request.')

  const verification = await bindToRequest(request)
  if (request.channel === 'annex_c') {
    const response = encryptDeviceResponse({ wallet, selections, verification, context, request, alter })
    return alter('form', { protocol: dcApiProtocols.annex_c, response })
  }
  const vpToken: Record<string, string[]> = {}
  for (const selection of selections) {
    const presentation = presentCredential({ wallet, selection, verification, context })
    vpToken[selection.query.id] = [...(vpToken[selection.query.id] ?? []), presentation]
  }
  const parameters = {
    vp_token: alter('vp_token', vpToken),
    ...(request.channel !== 'dc_api' && { state: request.state }),
  }
  return alter('form', await toForm(request, alter('parameters', parameters), alter))
}

/** Whether the wallet's credentials satisfy the query, after alterations. */
export function canSatisfyRequest(wallet: Wallet, request: WalletRequest, now: Date): boolean {
  const context: ResponseContext = { issuer: wallet.issuer, now, request }
  const alter = applyAlterations<ResponseDrafts, ResponseContext>(wallet.alterations ?? {}, context)
  const selections = selectForWallet(wallet, alter('query', request.dcql_query))
  // Every document of annex C is optional, but a response contains at least one.
  return selections !== undefined && (request.channel !== 'annex_c' || selections.length > 0)
}

/** An error response: unencrypted, with the state (OpenID4VP 1.0 §8.5), or with the protocol that was answered (annex A.4). */
export function buildErrorResponse(request: WalletRequest, error: string, description: string): ResponseForm {
  if (request.channel === 'dc_api' || request.channel === 'annex_c')
    return { protocol: dcApiProtocols[request.channel], error }
  const { state } = request
  return { error, error_description: description, ...(state === undefined ? {} : { state }) }
}

/** The credentials that the wallet presents. Undefined if they cannot satisfy the query. */
export function selectForWallet({ issuer, credentials }: Wallet, query: DcqlQuery): Selection[] | undefined {
  return selectCredentials(query, credentials, (credential) => listAuthorityKeyIds(issuer, credential))
}

async function toForm(
  request: Exclude<WalletRequest, { channel: 'annex_c' }>,
  parameters: JsonObject,
  alter: Alter<ResponseDrafts>,
): Promise<ResponseForm> {
  if (request.channel === 'age_app') return toFields(parameters)
  const response = await encryptResponse(parameters, alter('encryption', chooseEncryption(request)))
  return request.channel === 'redirect'
    ? { response }
    : { protocol: request.protocol ?? dcApiProtocols.dc_api, response }
}

/** `direct_post` without encryption: every parameter is a form field, `vp_token` as JSON (OpenID4VP 1.0 §8.2). */
function toFields(parameters: JsonObject): ResponseForm {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  )
}

function listAuthorityKeyIds({ hierarchies }: Issuer, { document }: UnsignedCredential): string[] {
  const { root, issuing } = hierarchies[findRootName(document)]
  return [root, issuing].map(({ key }) => base64url(keyIdentifier(key.public_key)))
}
