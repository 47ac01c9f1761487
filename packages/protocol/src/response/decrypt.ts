import { createDecipheriv, createSecretKey } from 'node:crypto'
import { expectBase64url } from '../crypto/base64.ts'
import {
  contentEncryptionNames,
  contentEncryptions,
  type ContentEncryption,
} from '../crypto/content-encryptions.ts'
import { decodeJsonObject } from '../crypto/read-jws.ts'
import { decodeUtf8 } from '../decode-utf8.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'
import { deriveContentKey } from './derive-content-key.ts'

const maxHeaderCharacters = 8 * 1024
const iv_bytes = 12
const tag_bytes = 16

/**
 * Decrypts a compact JWE with this verification's key and the offered algorithms only (OpenID4VP 1.0 §8.3, RFC 7516 §5.2). Checks
 * the header before any key agreement or decryption, and never decompresses. Synchronous: each step of `jose` is an
 * awaited WebCrypto job, and a response takes 860 µs of CPU with it instead of 320.
 */
export function decryptResponse(jwe: string, key: EncryptionKey): ReadResult<Record<string, unknown>> {
  return catchInputError(() => {
    if (jwe.indexOf('.') > maxHeaderCharacters) throw new InputError('the header of the response is too long')
    const parts = jwe.split('.', 6)
    if (parts.length !== 5) throw new InputError('the response is not a compact JWE')
    const [protectedHeader = '', encryptedKey, ...content] = parts

    const header = decodeJsonObject(protectedHeader)
    const encryption = expectOfferedEncryption(header, key)
    // ECDH-ES derives the content key, so the encrypted key is empty (RFC 7518 §4.6).
    if (encryptedKey !== '') throw new InputError('the response contains an encrypted key')

    const contentKey = deriveContentKey(header, key, encryption)
    return readParameters(decryptContent(content, { protectedHeader, contentKey, encryption }))
  })
}

/** The header must name offered algorithms and require no extension. */
function expectOfferedEncryption(
  { zip, crit, alg, enc, kid }: Record<string, unknown>,
  { jwk }: EncryptionKey,
): ContentEncryption {
  if (zip !== undefined) throw new InputError('the response is compressed')
  if (crit !== undefined) throw new InputError('the header of the response requires an unsupported extension')
  if (alg !== 'ECDH-ES') throw new InputError('the response is not encrypted with ECDH-ES')
  if (kid !== jwk.kid) throw new InputError('the response does not name the key of this verification')
  const encryption = contentEncryptions.get(enc)
  if (encryption === undefined)
    throw new InputError(`the response is not encrypted with ${contentEncryptionNames.join(' or ')}`)
  return encryption
}

type ContentContext = { protectedHeader: string; contentKey: Buffer; encryption: ContentEncryption }

function decryptContent(
  parts: string[],
  { protectedHeader, contentKey, encryption }: ContentContext,
): Buffer {
  const [iv, ciphertext, tag] = parts.map(expectBase64url)
  if (iv?.length !== iv_bytes || ciphertext === undefined || tag?.length !== tag_bytes) {
    throw new InputError('the nonce or tag of the response has the wrong length')
  }
  const key = createSecretKey(contentKey)
  const decipher = createDecipheriv(encryption.cipher, key, iv, { authTagLength: tag_bytes })
    .setAAD(Buffer.from(protectedHeader, 'latin1'))
    .setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    // The tag does not match: another key, or altered content.
    throw new InputError('the response cannot be decrypted with the key of this verification')
  }
}

function readParameters(plaintext: Buffer): Record<string, unknown> {
  const text = decodeUtf8(plaintext)
  try {
    const parameters: unknown = JSON.parse(text)
    if (isObject(parameters)) return parameters
  } catch {
    // JSON.parse throws if the text is not JSON.
  }
  throw new InputError('the response is not a JSON object')
}
