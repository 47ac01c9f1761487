import { SealedResultError } from '../errors.ts'
import { curve, encode } from './encoding.ts'

/** The private key as a JWK, or one that WebCrypto keeps, which may be non-extractable, with its thumbprint. */
export type SealingPrivateKey = SealingPrivateJwk | UsableKey
export type SealingPrivateJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string }
export type UsableKey = { kid: string; privateKey: KeepableKey }
/** What WebCrypto calls CryptoKey, whose type not every runtime declares. */
type KeepableKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export type NewSealingKey = {
  /** Store it where only you can read it. Without it, results that were sealed to it are lost. */
  privateJwk: SealingPrivateJwk
  /** Register this one. */
  publicJwk: Omit<SealingPrivateJwk, 'd'>
  kid: string
}

/** Makes a key to seal results to. */
export async function createKey(): Promise<NewSealingKey> {
  const { privateKey } = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey)
  const publicJwk = { kty: 'EC', crv: 'P-256', x, y } as const
  return { privateJwk: { ...publicJwk, d }, publicJwk, kid: await computeThumbprint(publicJwk) }
}

/** The key as WebCrypto keeps it: nothing can read it any more. It can be stored in IndexedDB. */
export async function importPrivateKey(key: SealingPrivateKey): Promise<UsableKey> {
  if ('privateKey' in key) return key
  const { kty, crv, x, y, d } = key
  try {
    const privateKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y, d }, curve, false, [
      'deriveBits',
    ])
    return { kid: await computeThumbprint(key), privateKey }
  } catch {
    // The message never contains the key.
    throw new SealedResultError(
      'unusable_key',
      'A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d.',
    )
  }
}

/** RFC 7638: SHA-256 of the required members in this order. */
async function computeThumbprint({ x, y }: { x: string; y: string }): Promise<string> {
  const text = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })
  return encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
