import { createDecipheriv, createSecretKey } from 'node:crypto'
import {
  contentEncryptionNames,
  contentEncryptions,
  type ContentEncryption,
} from '../crypto/content-encryptions.ts'
import { base64url, decodeJsonObject } from '../crypto/read-jws.ts'
import { attempt, Fault, type Attempt } from '../fault.ts'
import { isObject } from '../json.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'
import { decodeUtf8 } from '../text.ts'
import { deriveContentKey } from './derive-content-key.ts'

const MAX_HEADER_CHARACTERS = 8 * 1024
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Opens a compact JWE for this session's key, by the algorithms that were offered and no others (OpenID4VP 1.0 §8.3,
 * RFC 7516 §5.2). The header is judged before anything is agreed or decrypted, and nothing is ever inflated.
 */
export function decryptResponse(jwe: string, key: EncryptionKey): Attempt<Record<string, unknown>> {
  return attempt(() => {
    if (jwe.indexOf('.') > MAX_HEADER_CHARACTERS) throw new Fault('the header of the response is too long')
    const parts = jwe.split('.', 6)
    if (parts.length !== 5) throw new Fault('the response is no compact JWE')
    const [protectedHeader = '', encryptedKey, ...content] = parts

    const header = decodeJsonObject(protectedHeader)
    const encryption = expectOffered(header, key)
    // ECDH-ES agrees on the key of the content, so that none is enclosed (RFC 7518 §4.6).
    if (encryptedKey !== '') throw new Fault('the response encloses a key')

    const contentKey = deriveContentKey(header, key, encryption)
    return readParameters(openContent(content, { protectedHeader, contentKey, encryption }))
  })
}

/** The header names what was offered, and demands nothing else. */
function expectOffered(
  { zip, crit, alg, enc, kid }: Record<string, unknown>,
  { jwk }: EncryptionKey,
): ContentEncryption {
  if (zip !== undefined) throw new Fault('the response is compressed')
  if (crit !== undefined) throw new Fault('the header of the response demands an extension')
  if (alg !== 'ECDH-ES') throw new Fault('the response is not encrypted with ECDH-ES')
  if (kid !== jwk.kid) throw new Fault('the response does not name the key of this session')
  const encryption = contentEncryptions.get(enc)
  if (encryption === undefined)
    throw new Fault(`the response is not encrypted with ${contentEncryptionNames.join(' or ')}`)
  return encryption
}

type Content = { protectedHeader: string; contentKey: Buffer; encryption: ContentEncryption }

function openContent(parts: string[], { protectedHeader, contentKey, encryption }: Content): Buffer {
  const [iv, ciphertext, tag] = parts.map(base64url)
  if (iv?.length !== IV_BYTES || ciphertext === undefined || tag?.length !== TAG_BYTES) {
    throw new Fault('the response has a nonce or a tag of another length')
  }
  const key = createSecretKey(contentKey)
  const decipher = createDecipheriv(encryption.cipher, key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(protectedHeader, 'latin1'))
    .setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    // The tag does not fit: another key, or other content than was sealed.
    throw new Fault('the response cannot be decrypted with the key of this session')
  }
}

function readParameters(plaintext: Buffer): Record<string, unknown> {
  const text = decodeUtf8(plaintext)
  try {
    const parameters: unknown = JSON.parse(text)
    if (isObject(parameters)) return parameters
  } catch {
    // JSON.parse throws for text that is not JSON.
  }
  throw new Fault('the response is no JSON object')
}
