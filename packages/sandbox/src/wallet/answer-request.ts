import { calculateJwkThumbprint } from 'jose'
import {
  altering,
  type Alterations,
  type AnswerDrafts,
  type AnswerFacts,
  type PresentationDrafts,
  type PresentationFacts,
} from '../alterations.ts'
import { keyIdentifier } from '../certificates/extensions.ts'
import type { Holding } from '../documents/holding.ts'
import type { Issuer } from '../issuer/create-issuer.ts'
import { issueMdoc } from '../issuer/issue-mdoc.ts'
import { issueSdJwt } from '../issuer/issue-sd-jwt.ts'
import { rootOf } from '../issuer/signer.ts'
import { base64url } from '../keys/sign-jws.ts'
import { generateSigningKey, type Algorithm } from '../keys/signing-key.ts'
import type { AuthorizationRequest, SessionBinding } from './authorization-request.ts'
import type { DcqlQuery } from './dcql.ts'
import { encryptAnswer, encryptionFor } from './encrypt-answer.ts'
import { presentMdoc } from './present-mdoc.ts'
import { presentSdJwt } from './present-sd-jwt.ts'
import { selectCredentials, type Selection } from './select-credentials.ts'

export type Wallet = {
  readonly issuer: Issuer
  readonly holdings: readonly Holding[]
  /** What the holder's keys are; ES256 unless said otherwise. */
  readonly algorithm?: Algorithm
  readonly alterations?: Alterations
}

/** The fields that are posted to `response_uri`. */
export type Form = Readonly<Record<string, string>>

/** Makes the answer to a request: encrypted presentations, or `access_denied` when the holder has nothing that fits. */
export async function answerRequest(wallet: Wallet, request: AuthorizationRequest, now: Date): Promise<Form> {
  const { issuer, alterations = {} } = wallet
  const facts: AnswerFacts = { issuer, now, request }
  const alter = altering<AnswerDrafts, AnswerFacts>(alterations, facts)
  const selections = select(wallet, alter('query', request.dcql_query))
  if (selections === undefined)
    return refusal(request, 'access_denied', 'No document here answers the request.')

  const session = await bindSession(request)
  const vpToken: Record<string, string[]> = {}
  for (const selection of selections) {
    const presentation = present(wallet, selection, session, facts)
    vpToken[selection.query.id] = [...(vpToken[selection.query.id] ?? []), presentation]
  }
  const answer = alter('answer', { vp_token: alter('vp_token', vpToken), state: request.state })
  const response = await encryptAnswer(answer, alter('encryption', encryptionFor(request)))
  return alter('form', { response })
}

/** Whether the wallet has what a request asks for, as it reads the query. */
export function canAnswer(wallet: Wallet, request: AuthorizationRequest, now: Date): boolean {
  const facts: AnswerFacts = { issuer: wallet.issuer, now, request }
  const alter = altering<AnswerDrafts, AnswerFacts>(wallet.alterations ?? {}, facts)
  return select(wallet, alter('query', request.dcql_query)) !== undefined
}

/** An error as a wallet sends it: unencrypted, with the state (OpenID4VP 1.0 §8.5). */
export function refusal({ state }: AuthorizationRequest, error: string, description: string): Form {
  return { error, error_description: description, ...(state === undefined ? {} : { state }) }
}

function select({ issuer, holdings }: Wallet, query: DcqlQuery): Selection[] | undefined {
  return selectCredentials(query, holdings, (holding) => authoritiesOf(issuer, holding))
}

function present(
  wallet: Wallet,
  selection: Selection,
  session: SessionBinding,
  answerFacts: AnswerFacts,
): string {
  const holderKey = generateSigningKey(wallet.algorithm)
  const facts = { ...answerFacts, query: selection.query, holding: selection.holding, holder_key: holderKey }
  const alter = altering<PresentationDrafts, PresentationFacts>(wallet.alterations ?? {}, facts)
  const { issuer, now } = answerFacts
  const holding = alter('holding', selection.holding)
  const order = { holder_key: holderKey, now, alter }
  const showing = { ...order, disclosed: selection.disclosed, session }
  const presentation =
    holding.format === 'dc+sd-jwt'
      ? presentSdJwt(issueSdJwt(issuer, { ...order, holding }), showing)
      : presentMdoc(issueMdoc(issuer, { ...order, holding }), showing)
  return alter('presentation', presentation)
}

async function bindSession({ client_id, nonce, response_uri, encryption }: AuthorizationRequest) {
  const { kty, crv, x, y } = encryption.jwk
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x, ...(y === undefined ? {} : { y }) })
  return { client_id, nonce, response_uri, thumbprint: Buffer.from(thumbprint, 'base64url') }
}

function authoritiesOf({ hierarchies }: Issuer, { document }: Holding): string[] {
  const { root, issuing } = hierarchies[rootOf(document)]
  return [root, issuing].map(({ key }) => base64url(keyIdentifier(key.public_key)))
}
