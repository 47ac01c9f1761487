import { inflateSync } from 'node:zlib'
import { verifySignature } from '../crypto/verify-signature.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { StatusListToken } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import { readToken, type UnverifiedStatusList } from './read-token.ts'

/** A status list that the certificate it encloses has signed. Whether that one is trusted is asked at every look. */
export type StatusList = Omit<UnverifiedStatusList, 'algorithm' | 'signed' | 'signature' | 'compressed'> & {
  /** Inflated once and kept as bytes: a list of 8 M entries of one bit is 1 MB. */
  bytes: Uint8Array
}

/** Room for 16 M entries of eight bits. */
const maxInflated_bytes = 16 * 1024 * 1024

// For as long as the caller keeps a token it is opened once: nothing in it changes but its age.
const openedTokens = new WeakMap<StatusListToken, ReadResult<StatusList>>()

/** Opens a token; its lifetime tells for how long it may be kept. */
export function openStatusList(token: StatusListToken): ReadResult<StatusList> {
  const known = openedTokens.get(token)
  if (known !== undefined) return known
  const list = catchInputError(() => openToken(token))
  openedTokens.set(token, list)
  return list
}

/** The entry at `idx`, least significant bits first (Token Status List §4.1); undefined beyond the end. */
export function readEntry(
  { bits, bytes }: Pick<StatusList, 'bits' | 'bytes'>,
  idx: number,
): number | undefined {
  const perByte = 8 / bits
  const byte = bytes[Math.floor(idx / perByte)]
  return byte === undefined ? undefined : (byte >> ((idx % perByte) * bits)) & (2 ** bits - 1)
}

/** The signature comes first: what nobody signed is not inflated. */
function openToken(token: StatusListToken): StatusList {
  const { algorithm, signed, signature, compressed, ...list } = readToken(token)
  if (algorithm === undefined) throw new InputError('the algorithm of the status list is not accepted')
  const [der] = list.chain
  const signer = der && readCertificate(der)
  if (signer === undefined || 'error' in signer || signer.value.key === undefined) {
    throw new InputError('the status list encloses no certificate that can be read')
  }
  if (!verifySignature(algorithm, signer.value.key, signed, signature)) {
    throw new InputError('the signature of the status list is not that of its certificate')
  }
  return { ...list, bytes: inflate(compressed) }
}

function inflate(compressed: Uint8Array): Uint8Array {
  try {
    return inflateSync(compressed, { maxOutputLength: maxInflated_bytes })
  } catch {
    // zlib throws for what it cannot inflate and for what would grow beyond the limit.
    throw new InputError('the status list cannot be inflated, or only beyond 16 MiB')
  }
}
