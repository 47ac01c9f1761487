import type { Format, Issuer, SigningKey } from '@vidimus/sandbox'

/** The inputs of an issuer: the sandbox's signers, whose certificates the verifier trusts, and the holder's key. */
export type IssueOptions = { issuer: Issuer; holderKey: SigningKey; now: Date }

/** A third-party issuer. Each format returns what OpenID4VCI delivers: a compact SD-JWT, or IssuerSigned in base64url. */
export type IndependentIssuer = {
  name: string
  issue: Readonly<Record<Format, (order: IssueOptions) => Promise<string>>>
}

/** A credential as the holder received it, and the key that it is bound to. */
export type HeldCredential = { format: Format; credential: string; key: SigningKey }

export type HolderOptions = {
  fetch: typeof globalThis.fetch
  /** Roots of access certificates that the holder trusts, DER. */
  trustedRoots: readonly Uint8Array[]
  /** Allows http, for a verifier on this machine without a TLS certificate. */
  insecure?: boolean
}

/** A third-party wallet. */
export type IndependentHolder = {
  name: string
  open: (options: HolderOptions) => Promise<HolderVerification>
}

export type HolderVerification = AsyncDisposable & {
  /** Responds to a request with this credential and returns the HTTP status of the verifier's reply. */
  respond(walletUri: string, credential: HeldCredential): Promise<number>
}

export const pid = {
  type: 'urn:eudi:pid:1',
  claims: {
    given_name: 'Erika',
    family_name: 'Mustermann',
    nationalities: ['DE', 'FR'],
    address: { locality: 'Köln', country: 'DE' },
  },
  /** Covers top-level claims, nested claims and array elements. */
  disclosureFrame: {
    _sd: ['given_name', 'family_name', 'nationalities', 'address'],
    nationalities: { _sd: [0, 1] },
    address: { _sd: ['locality'] },
  },
} as const

export const mdl = {
  type: 'org.iso.18013.5.1.mDL',
  namespace: 'org.iso.18013.5.1',
  elements: {
    given_name: 'Erika',
    family_name: 'Mustermann',
    birth_date: '1990-02-03',
    issuing_country: 'UT',
    age_over_18: true,
  },
  requested: ['given_name', 'age_over_18', 'birth_date'],
} as const

export function privateJwk({ private_key }: SigningKey) {
  const { x = '', y = '', d = '' } = private_key.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y, d } as const
}

export function publicJwk({ public_key }: SigningKey) {
  const { x = '', y = '' } = public_key.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y } as const
}
