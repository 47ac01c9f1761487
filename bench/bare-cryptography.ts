import {
  createECDH,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const message = randomBytes(2000)
const signature = sign('sha256', message, keys.privateKey)

/** What a request object needs at least: the key of the session and a signature. */
export function deriveAndSign(): void {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', message.subarray(0, 32), 'salt', 'key', 32)))
  ecdh.getPublicKey()
  sign('sha256', message, keys.privateKey)
}

/** What a response needs at least: the issuer's signature, the holder's signature and the key agreement of the encrypted response. */
export function verifyAndAgreeKey(): void {
  for (let count = 0; count < 2; count += 1) {
    verify('sha256', message, keys.publicKey, signature)
  }
  diffieHellman({ privateKey: keys.privateKey, publicKey: other.publicKey })
}
