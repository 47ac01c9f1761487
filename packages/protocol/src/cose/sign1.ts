import { expectArray, expectBytes, expectMap, isTagged } from '../cbor/expect.ts'
import { readCbor, type Cbor, type CborMap } from '../cbor/read.ts'
import { writeCbor } from '../cbor/write.ts'
import { findCoseAlgorithm, type SignatureAlgorithm } from '../crypto/algorithms.ts'
import { InputError } from '../input-error.ts'

/** A parsed COSE_Sign1 (RFC 9052 §4.2). Nothing in it is verified. */
export type CoseSign1 = {
  protected_bytes: Uint8Array
  protected_header: CborMap
  /** Undefined if it names no accepted algorithm. */
  algorithm: SignatureAlgorithm | undefined
  unprotected_header: CborMap
  /** Undefined if it is detached. */
  payload: Uint8Array | undefined
  signature: Uint8Array
}

/** Of a COSE_Sign1, and of a COSE_Mac0, which has the same shape. */
const tags = new Set([18, 17])
const algLabel = 1
const critLabel = 2
const x5chainLabel = 33

/** Throws an InputError. */
export function readSign1(value: Cbor, name: string): CoseSign1 {
  const parts = expectArray(isTagged(value) && tags.has(value.tag) ? value.value : value, name)
  if (parts.length !== 4) throw new InputError(`${name} is not a COSE_Sign1`)
  const [protectedPart, unprotectedPart, payload, signature] = parts

  const protected_bytes = expectBytes(protectedPart, `the protected header of ${name}`)
  const protected_header = expectMap(readCbor(protected_bytes), `the protected header of ${name}`)
  const unprotected_header = expectMap(unprotectedPart, `the unprotected header of ${name}`)
  if (protected_header.has(critLabel)) throw new InputError(`${name} requires an unsupported extension`)
  for (const label of protected_header.keys()) {
    if (unprotected_header.has(label)) throw new InputError(`${name} has the same header in both places`)
  }
  return {
    protected_bytes,
    protected_header,
    algorithm: findCoseAlgorithm(protected_header.get(algLabel)),
    unprotected_header,
    payload: payload === null ? undefined : expectBytes(payload, `the payload of ${name}`),
    signature: expectBytes(signature, `the signature of ${name}`),
  }
}

/** RFC 9360: one certificate, or several with the signer's first. Empty if there is no such header. */
export function readX5chain({ protected_header, unprotected_header }: CoseSign1): Uint8Array[] {
  const chain = unprotected_header.get(x5chainLabel) ?? protected_header.get(x5chainLabel) ?? []
  return [chain].flat().map((der) => expectBytes(der, 'a certificate in x5chain'))
}

/** The Sig_structure (RFC 9052 §4.4): the bytes that the signature of a COSE_Sign1 with this payload covers. */
export function buildSigStructure(
  { protected_bytes }: Pick<CoseSign1, 'protected_bytes'>,
  payload: Uint8Array,
): Buffer {
  return writeCbor(['Signature1', protected_bytes, new Uint8Array(), payload])
}
