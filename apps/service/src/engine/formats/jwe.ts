import { GeneralEncrypt, type CryptoKey, calculateJwkThumbprint, importJWK } from 'jose'

/** A public key on P-256. */
export type PublicKeyJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string }

const wrapping = 'ECDH-ES+A256KW'
const encryption = 'A256GCM'

/** A JWE in the general JSON serialisation. */
export type GeneralJwe = {
  protected: string
  recipients: { header?: Record<string, unknown>; encrypted_key: string }[]
  iv: string
  ciphertext: string
  tag: string
}

/** A key that was imported once, to encrypt to it many times. */
export type JweRecipient = { kid: string; key: CryptoKey }

/** The thumbprint of a key (RFC 7638), which is its id. */
export function computeThumbprint(jwk: PublicKeyJwk): Promise<string> {
  return calculateJwkThumbprint(jwk, 'sha256')
}

/** Throws if the coordinates are not a point of the curve. */
export async function importRecipient(kid: string, jwk: PublicKeyJwk): Promise<JweRecipient> {
  const { kty, crv, x, y } = jwk
  const key = await importJWK({ kty, crv, x, y }, wrapping)
  if (key instanceof Uint8Array) throw new Error('an EC key was imported as bytes')
  return { kid, key }
}

/**
 * Encrypts a text so that the private key of any recipient opens it: JWE in the general JSON serialisation (RFC 7516 §7.2.1), one content
 * key for all, wrapped for each (RFC 7518 §4.6).
 */
export async function encryptToRecipients(
  text: string,
  recipients: readonly JweRecipient[],
): Promise<GeneralJwe> {
  const encrypting = new GeneralEncrypt(new TextEncoder().encode(text)).setProtectedHeader({
    enc: encryption,
  })
  for (const { kid, key } of recipients)
    encrypting.addRecipient(key).setUnprotectedHeader({ alg: wrapping, kid })
  const { protected: header, recipients: wrapped, iv, ciphertext, tag } = await encrypting.encrypt()
  if (header === undefined || iv === undefined || tag === undefined)
    throw new Error('a JWE lacks its header, its IV or its tag')
  return {
    protected: header,
    recipients: wrapped.map(({ header: own, encrypted_key = '' }) => ({
      ...(own !== undefined && { header: { ...own } }),
      encrypted_key,
    })),
    iv,
    ciphertext,
    tag,
  }
}
