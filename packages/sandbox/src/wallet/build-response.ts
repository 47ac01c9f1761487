import { calculateJwkThumbprint } from 'jose'
import {
  applyAlterations,
  type Alterations,
  type ResponseDrafts,
  type ResponseContext,
  type PresentationDrafts,
  type PresentationContext,
} from '../alterations.ts'
import { keyIdentifier } from '../certificates/extensions.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import type { Issuer } from '../issuer/create-issuer.ts'
import { issueMdoc } from '../issuer/issue-mdoc.ts'
import { issueSdJwt } from '../issuer/issue-sd-jwt.ts'
import { findRootName } from '../issuer/signer.ts'
import { base64url } from '../keys/sign-jws.ts'
import { generateSigningKey, type Algorithm } from '../keys/signing-key.ts'
import type { AuthorizationRequest, SessionBinding } from './authorization-request.ts'
import type { DcqlQuery } from './dcql.ts'
import { encryptResponse, chooseEncryption } from './encrypt-response.ts'
import { presentMdoc } from './present-mdoc.ts'
import { presentSdJwt } from './present-sd-jwt.ts'
import { selectCredentials, type Selection } from './select-credentials.ts'

export type Wallet = {
  readonly issuer: Issuer
  readonly credentials: readonly UnsignedCredential[]
  /** The algorithm of the holder's keys. Default: ES256. */
  readonly algorithm?: Algorithm
  readonly alterations?: Alterations
}

/** The form fields that the wallet posts to `response_uri`. */
export type ResponseForm = Readonly<Record<string, string>>

/** Builds the response to a request: encrypted presentations, or `access_denied` if no credential satisfies the query. */
export async function buildResponse(
  wallet: Wallet,
  request: AuthorizationRequest,
  now: Date,
): Promise<ResponseForm> {
  const { issuer, alterations = {} } = wallet
  const context: ResponseContext = { issuer, now, request }
  const alter = applyAlterations<ResponseDrafts, ResponseContext>(alterations, context)
  const selections = selectForWallet(wallet, alter('query', request.dcql_query))
  if (selections === undefined)
    return buildErrorResponse(request, 'access_denied', 'No credential in this wallet satisfies the request.')

  const session = await computeSessionBinding(request)
  const vpToken: Record<string, string[]> = {}
  for (const selection of selections) {
    const presentation = present(wallet, selection, session, context)
    vpToken[selection.query.id] = [...(vpToken[selection.query.id] ?? []), presentation]
  }
  const parameters = alter('parameters', { vp_token: alter('vp_token', vpToken), state: request.state })
  const response = await encryptResponse(parameters, alter('encryption', chooseEncryption(request)))
  return alter('form', { response })
}

/** Whether the wallet's credentials satisfy the query, after alterations. */
export function canSatisfyRequest(wallet: Wallet, request: AuthorizationRequest, now: Date): boolean {
  const context: ResponseContext = { issuer: wallet.issuer, now, request }
  const alter = applyAlterations<ResponseDrafts, ResponseContext>(wallet.alterations ?? {}, context)
  return selectForWallet(wallet, alter('query', request.dcql_query)) !== undefined
}

/** An error response: unencrypted, with the state (OpenID4VP 1.0 §8.5). */
export function buildErrorResponse(
  { state }: AuthorizationRequest,
  error: string,
  description: string,
): ResponseForm {
  return { error, error_description: description, ...(state === undefined ? {} : { state }) }
}

function selectForWallet({ issuer, credentials }: Wallet, query: DcqlQuery): Selection[] | undefined {
  return selectCredentials(query, credentials, (credential) => listAuthorityKeyIds(issuer, credential))
}

function present(
  wallet: Wallet,
  selection: Selection,
  session: SessionBinding,
  responseContext: ResponseContext,
): string {
  const holderKey = generateSigningKey(wallet.algorithm)
  const context = {
    ...responseContext,
    query: selection.query,
    credential: selection.credential,
    holder_key: holderKey,
  }
  const alter = applyAlterations<PresentationDrafts, PresentationContext>(wallet.alterations ?? {}, context)
  const { issuer, now } = responseContext
  const credential = alter('credential', selection.credential)
  const issueOptions = { holder_key: holderKey, now, alter }
  const presentOptions = { ...issueOptions, disclosed: selection.disclosed, session }
  const presentation =
    credential.format === 'dc+sd-jwt'
      ? presentSdJwt(issueSdJwt(issuer, { ...issueOptions, credential }), presentOptions)
      : presentMdoc(issueMdoc(issuer, { ...issueOptions, credential }), presentOptions)
  return alter('presentation', presentation)
}

async function computeSessionBinding({ client_id, nonce, response_uri, encryption }: AuthorizationRequest) {
  const { kty, crv, x, y } = encryption.jwk
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x, ...(y === undefined ? {} : { y }) })
  return { client_id, nonce, response_uri, thumbprint: Buffer.from(thumbprint, 'base64url') }
}

function listAuthorityKeyIds({ hierarchies }: Issuer, { document }: UnsignedCredential): string[] {
  const { root, issuing } = hierarchies[findRootName(document)]
  return [root, issuing].map(({ key }) => base64url(keyIdentifier(key.public_key)))
}
