import { encodeCbor, type Cbor } from '../cbor/encode.ts'
import { signRaw, type SigningKey } from './signing-key.ts'

/** The four members of COSE_Sign1 (RFC 9052 §4.2), before they become an array. */
export type CoseSign1 = {
  protected_header: Map<Cbor, Cbor>
  unprotected_header: Map<Cbor, Cbor>
  /** Null if the payload is detached: signed but not sent. */
  payload: Uint8Array | null
  signature: Uint8Array
}

export type CoseDraft = Omit<CoseSign1, 'signature'>

/** Signs the draft's payload, or `detached` if the message has none. */
export function signCose(draft: CoseDraft, key: SigningKey, detached?: Uint8Array): CoseSign1 {
  const signedPayload = detached ?? draft.payload ?? new Uint8Array(0)
  // Sig_structure, RFC 9052 §4.4, without external data.
  const input = encodeCbor([
    'Signature1',
    encodeCbor(draft.protected_header),
    new Uint8Array(0),
    signedPayload,
  ])
  return { ...draft, signature: signRaw(key, input) }
}

export function toCoseArray(message: CoseSign1): Cbor[] {
  const { protected_header, unprotected_header, payload, signature } = message
  return [encodeCbor(protected_header), unprotected_header, payload, signature]
}
