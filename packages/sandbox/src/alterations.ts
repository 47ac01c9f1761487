import type { Cbor } from './cbor/encode.ts'
import type { UnsignedCredential } from './documents/credential.ts'
import type { Issuer } from './issuer/create-issuer.ts'
import type { Signer } from './issuer/signer.ts'
import type { CoseDraft, CoseSign1 } from './keys/sign-cose.ts'
import type { Json, JsonObject } from './keys/sign-jws.ts'
import type { SigningKey } from './keys/signing-key.ts'
import type { AuthorizationRequest, SessionBinding } from './wallet/authorization-request.ts'
import type { ConcretePath, CredentialQuery, DcqlQuery } from './wallet/dcql.ts'
import type { ResponseEncryption } from './wallet/encrypt-response.ts'

/** The steps of issuing and presenting one document, each with the draft it hands on. In the order they are taken. */
export type PresentationDrafts = {
  /** The document as the holder owns it. */
  holding: UnsignedCredential
  /** Whoever signs it. */
  signer: Signer
  /** The key that proves possession. The document stays bound to the right one. */
  proof_key: SigningKey
  /** What is disclosed, by the places that the query's paths lead to. */
  disclosed: readonly ConcretePath[]
  /** What the proof of possession is bound to. */
  session: SessionBinding

  issuer_header: JsonObject
  issuer_payload: JsonObject
  issuer_jwt: string
  disclosures: readonly string[]
  kb_header: JsonObject
  kb_payload: JsonObject
  kb_jwt: string

  /** IssuerSignedItem, each of them. */
  item: Map<Cbor, Cbor>
  mso: Map<Cbor, Cbor>
  /** The issuer's signature, before it is made and after. */
  issuer_cose: CoseDraft
  issuer_auth: CoseSign1
  /** By namespace, each item as it was signed. */
  items: ReadonlyMap<string, readonly Uint8Array[]>
  device_namespaces: Map<Cbor, Cbor>
  /** The device's signature, before it is made and after. */
  device_cose: CoseDraft
  device_auth: Map<Cbor, Cbor>
  device_response: Map<Cbor, Cbor>

  /** As it goes into the `vp_token`. */
  presentation: string
}

/** The steps of making one answer. */
export type ResponseDrafts = {
  /** The query as the wallet reads it. */
  query: DcqlQuery
  vp_token: Readonly<Record<string, Json>>
  /** What is encrypted. */
  answer: JsonObject
  encryption: ResponseEncryption
  /** What is posted. */
  form: Readonly<Record<string, string>>
}

export type ResponseContext = { issuer: Issuer; now: Date; request: AuthorizationRequest }

export type PresentationContext = ResponseContext & {
  query: CredentialQuery
  credential: UnsignedCredential
  holder_key: SigningKey
}

type AlterationSteps<Drafts, Facts> = {
  readonly [S in keyof Drafts]?: (original: Drafts[S], context: Facts) => Drafts[S]
}

/** What is done wrongly: for some steps, what becomes of the right draft. */
export type Alterations = AlterationSteps<PresentationDrafts, PresentationContext> &
  AlterationSteps<ResponseDrafts, ResponseContext>

/** Hands a draft on: as it is, or altered. */
export type Alter<Drafts> = <S extends keyof Drafts>(step: S, original: Drafts[S]) => Drafts[S]

export const unaltered = <T>(_step: string, original: T): T => original

export function applyAlterations<Drafts, Facts>(
  steps: AlterationSteps<Drafts, Facts>,
  context: Facts,
): Alter<Drafts> {
  return (step, original) => steps[step]?.(original, context) ?? original
}
