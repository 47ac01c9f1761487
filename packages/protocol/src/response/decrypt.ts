import { compactDecrypt, decodeProtectedHeader } from 'jose'
import { isObject } from '../json.ts'
import { contentEncryptions } from '../request/describe-verifier.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'

export type Decrypted = { parameters: Record<string, unknown> } | { fault: string }

const MAX_HEADER_CHARACTERS = 8 * 1024

/** Opens a compact JWE for this session's key, by the algorithms that were offered and no others (OpenID4VP 1.0 §8.3). */
export async function decryptResponse(jwe: string, key: EncryptionKey): Promise<Decrypted> {
  const fault = findHeaderFault(jwe, key)
  if (fault !== undefined) return { fault }
  try {
    const { plaintext } = await compactDecrypt(jwe, key.private_key, {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: [...contentEncryptions],
      maxDecompressedLength: 0,
    })
    const parameters: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
    return isObject(parameters) ? { parameters } : { fault: 'the response is no JSON object' }
  } catch {
    // Everything that jose, the decoder and the parser refuse. Which of them did is nobody's business outside.
    return { fault: 'the response cannot be decrypted with the key of this session' }
  }
}

/** Looks at the header before anything is agreed, decrypted or, above all, inflated. */
function findHeaderFault(jwe: string, key: EncryptionKey): string | undefined {
  if (jwe.indexOf('.') > MAX_HEADER_CHARACTERS) return 'the header of the response is too long'
  const header = readHeader(jwe)
  if (header === undefined) return 'the response is no compact JWE'
  if (header.zip !== undefined) return 'the response is compressed'
  if (header.alg !== 'ECDH-ES') return 'the response is not encrypted with ECDH-ES'
  if (typeof header.enc !== 'string' || !contentEncryptions.includes(header.enc)) {
    return `the response is not encrypted with ${contentEncryptions.join(' or ')}`
  }
  if (header.kid !== key.jwk.kid) return 'the response does not name the key of this session'
  return undefined
}

function readHeader(jwe: string): Record<string, unknown> | undefined {
  try {
    return { ...decodeProtectedHeader(jwe) }
  } catch {
    return undefined // Not base64url, or not JSON, or no object.
  }
}
