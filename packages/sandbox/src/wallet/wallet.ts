import type { Alterations } from '../alterations.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import type { Issuer } from '../issuer/create-issuer.ts'
import type { Algorithm } from '../keys/signing-key.ts'

export type Wallet = {
  readonly issuer: Issuer
  readonly credentials: readonly UnsignedCredential[]
  /** The algorithm of the holder's keys. Default: ES256. */
  readonly algorithm?: Algorithm
  readonly alterations?: Alterations
}

/** The form fields that the wallet posts to `response_uri`, or that the page posts for it. */
export type ResponseForm = Readonly<Record<string, string>>
