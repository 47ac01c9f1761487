import { inflateSync } from 'node:zlib'
import { verifySignature } from '../crypto/verify-signature.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { StatusListToken } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import type { SignedData } from '../x509/verify-signer.ts'
import { readToken, type ListHead, type UnverifiedStatusList } from './read-token.ts'

/** A status list signed by its own certificate. Whether that certificate is trusted is checked at every lookup. */
export type StatusList = ListHead & {
  bits: UnverifiedStatusList['bits']
  /** Decompressed once and kept as bytes: a list of 8 million one-bit entries takes 1 MB. */
  bytes: Uint8Array
}

/** Enough for 16 million entries of eight bits. */
const maxInflated_bytes = 16 * 1024 * 1024

// A token is opened once for as long as the caller keeps it: only its age changes.
const openedTokens = new WeakMap<StatusListToken, ReadResult<StatusList>>()

/** Parses, verifies and decompresses a token. Its lifetime says how long the caller may keep it. */
export function openStatusList(token: StatusListToken): ReadResult<StatusList> {
  const known = openedTokens.get(token)
  if (known !== undefined) return known
  const list = catchInputError(() => openToken(token))
  openedTokens.set(token, list)
  return list
}

/** Reads the entry at `idx`, least significant bits first (Token Status List §4.1). Undefined beyond the end. */
export function readEntry(
  { bits, bytes }: Pick<StatusList, 'bits' | 'bytes'>,
  idx: number,
): number | undefined {
  const perByte = 8 / bits
  const byte = bytes[Math.floor(idx / perByte)]
  return byte === undefined ? undefined : (byte >> ((idx % perByte) * bits)) & (2 ** bits - 1)
}

/** Verifies the signature first: unsigned data is not decompressed. */
function openToken(token: StatusListToken): StatusList {
  const { algorithm, signed, signature, compressed, ...list } = readToken(token)
  verifyListSignature(list, { algorithm, signed, signature })
  return { ...list, bytes: inflate(compressed) }
}

/** Throws an InputError unless the list is signed by the first certificate of its chain. */
export function verifyListSignature({ chain }: ListHead, { algorithm, signed, signature }: SignedData): void {
  if (algorithm === undefined) throw new InputError('the algorithm of the status list is not accepted')
  const [der] = chain
  const signer = der && readCertificate(der)
  if (signer === undefined || 'error' in signer || signer.value.key === undefined) {
    throw new InputError('the status list has no readable certificate')
  }
  if (!verifySignature(algorithm, signer.value.key, signed, signature)) {
    throw new InputError('the signature of the status list does not match its certificate')
  }
}

function inflate(compressed: Uint8Array): Uint8Array {
  try {
    return inflateSync(compressed, { maxOutputLength: maxInflated_bytes })
  } catch {
    // zlib throws for invalid data and if the output would exceed the limit.
    throw new InputError('the status list cannot be decompressed, or exceeds 16 MiB')
  }
}
