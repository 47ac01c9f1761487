import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPublicKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'

/**
 * The least cryptography of an operation, in the fastest form that Node has: signatures as DER, new keys from PEM, a shared secret from
 * raw points. JWK, DER keys and IEEE P1363 signatures take up to twice as long.
 */

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const message = randomBytes(1200)
const signature = sign('sha256', message, own.privateKey)
const newKey = own.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const wallet = createECDH('prime256v1')
const point = wallet.generateKeys()
const secret = randomBytes(32)
const seed = randomBytes(32)
const nonce = randomBytes(12)
const encrypted = encrypt(randomBytes(3000))

/** A request object: the key of the verification, derived from its seed, and a signature. */
export function deriveAndSign(): void {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', seed, 'salt', 'key', 32)))
  ecdh.getPublicKey()
  sign('sha256', message, own.privateKey)
}

/** A presented credential: the issuer's signature with a key that is kept, and the holder's with one that is new in every response. */
export function verifyCredential(): void {
  const genuine = verify('sha256', message, own.publicKey, signature)
  if (!genuine || !verify('sha256', message, createPublicKey(newKey), signature))
    throw new Error('a valid signature was rejected')
}

/** A response: the key agreement and the decryption with a derived key, and one credential. */
export function openResponse(): void {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', seed, 'salt', 'key', 32)))
  hash('sha256', ecdh.computeSecret(point), 'buffer')
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce).setAuthTag(encrypted.tag)
  decipher.update(encrypted.text)
  decipher.final()
  verifyCredential()
}

function encrypt(plain: Buffer): { text: Buffer; tag: Buffer } {
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return { text, tag: cipher.getAuthTag() }
}
