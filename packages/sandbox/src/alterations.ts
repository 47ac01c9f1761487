import type { Cbor } from './cbor/encode.ts'
import type { UnsignedCredential } from './documents/credential.ts'
import type { Issuer } from './issuer/create-issuer.ts'
import type { Signer } from './issuer/signer.ts'
import type { CoseDraft, CoseSign1 } from './keys/sign-cose.ts'
import type { Json, JsonObject } from './keys/sign-jws.ts'
import type { SigningKey } from './keys/signing-key.ts'
import type { HpkeInput } from './keys/seal-hpke.ts'
import type { ProximityRequest, VerificationBinding, WalletRequest } from './wallet/authorization-request.ts'
import type { ConcretePath, CredentialQuery, DcqlQuery } from './wallet/dcql.ts'
import type { ResponseEncryption } from './wallet/encrypt-response.ts'

/** The steps of issuing and presenting one credential, in order, each with the draft it produces. */
export type PresentationDrafts = {
  /** The credential before it is signed. */
  credential: UnsignedCredential
  /** The issuer's signing key and certificates. */
  signer: Signer
  /** The key that signs the proof of possession. The credential stays bound to the holder's key. */
  proof_key: SigningKey
  /** The paths of the claims that are disclosed. */
  disclosed: readonly ConcretePath[]
  /** What the proof of possession is bound to. */
  verification: VerificationBinding

  issuer_header: JsonObject
  issuer_payload: JsonObject
  issuer_jwt: string
  disclosures: readonly string[]
  kb_header: JsonObject
  kb_payload: JsonObject
  kb_jwt: string

  /** One IssuerSignedItem. */
  item: Map<Cbor, Cbor>
  mso: Map<Cbor, Cbor>
  /** The issuer's signature: what is signed, and the signed message. */
  issuer_cose: CoseDraft
  issuer_auth: CoseSign1
  /** The signed items, by namespace. */
  items: ReadonlyMap<string, readonly Uint8Array[]>
  device_namespaces: Map<Cbor, Cbor>
  /** The device's signature: what is signed, and the signed message. */
  device_cose: CoseDraft
  device_auth: Map<Cbor, Cbor>
  device_response: Map<Cbor, Cbor>

  /** The entry in `vp_token`. */
  presentation: string
}

/** The steps of building one wallet response. */
export type ResponseDrafts = {
  /** The query that the wallet evaluates. */
  query: DcqlQuery
  vp_token: Readonly<Record<string, Json>>
  /** The response parameters, before encryption. */
  parameters: JsonObject
  encryption: ResponseEncryption
  /** Annex C: the DeviceResponse, before encryption, and what it is encrypted with. */
  hpke: HpkeInput
  /** Annex C: the encrypted DeviceResponse. */
  encrypted_response: Cbor
  /** The posted form; over the Digital Credentials API, the one that the page posts. */
  form: Readonly<Record<string, string>>
}

export type ResponseContext = { issuer: Issuer; now: Date; request: WalletRequest }

export type PresentationContext = Omit<ResponseContext, 'request'> & {
  request: WalletRequest | ProximityRequest
  query: CredentialQuery
  credential: UnsignedCredential
  holder_key: SigningKey
}

type AlterationSteps<Drafts, Facts> = {
  readonly [S in keyof Drafts]?: (original: Drafts[S], context: Facts) => Drafts[S]
}

/** Deliberate mistakes: for some steps, a function that replaces the correct draft. */
export type Alterations = AlterationSteps<PresentationDrafts, PresentationContext> &
  AlterationSteps<ResponseDrafts, ResponseContext>

/** Returns the draft of a step, altered or unchanged. */
export type Alter<Drafts> = <S extends keyof Drafts>(step: S, original: Drafts[S]) => Drafts[S]

export const unaltered = <T>(_step: string, original: T): T => original

export function applyAlterations<Drafts, Facts>(
  steps: AlterationSteps<Drafts, Facts>,
  context: Facts,
): Alter<Drafts> {
  return (step, original) => steps[step]?.(original, context) ?? original
}
