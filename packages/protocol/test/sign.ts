import { sign, type KeyObject } from 'node:crypto'
import { encodeCbor, type CborValue } from './cbor.ts'
import type { KeyKind, KeyPair } from './certificates.ts'

const algorithms: Record<KeyKind, { jose: string; cose: number; hash: string | null }> = {
  'P-256': { jose: 'ES256', cose: -7, hash: 'sha256' },
  'P-384': { jose: 'ES384', cose: -35, hash: 'sha384' },
  'P-521': { jose: 'ES512', cose: -36, hash: 'sha512' },
  brainpoolP256r1: { jose: 'ESB256', cose: -265, hash: 'sha256' },
  brainpoolP320r1: { jose: 'ESB320', cose: -266, hash: 'sha384' },
  brainpoolP384r1: { jose: 'ESB384', cose: -267, hash: 'sha384' },
  brainpoolP512r1: { jose: 'ESB512', cose: -268, hash: 'sha512' },
  Ed25519: { jose: 'EdDSA', cose: -8, hash: null },
  RSA: { jose: 'RS256', cose: -257, hash: 'sha256' },
}

export const joseAlg = ({ kind }: KeyPair): string => algorithms[kind].jose
export const coseAlg = ({ kind }: KeyPair): number => algorithms[kind].cose

export function signBytes({ kind, privateKey }: KeyPair, bytes: Uint8Array): Buffer {
  return sign(algorithms[kind].hash, bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })
}

export function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function signJws(header: object, payload: object, key: KeyPair): string {
  const signed = `${encodeJson(header)}.${encodeJson(payload)}`
  return `${signed}.${signBytes(key, Buffer.from(signed)).toString('base64url')}`
}

export type Sign1Input = {
  protected_header: Map<number | string, CborValue>
  unprotected_header?: Map<number | string, CborValue>
  payload: Uint8Array
  detached?: boolean
  key: KeyPair
}

/** RFC 9052 §4.4. */
export function signCose({
  protected_header,
  unprotected_header,
  payload,
  detached = false,
  key,
}: Sign1Input): CborValue[] {
  const header = encodeCbor(protected_header)
  const signature = signBytes(key, encodeCbor(['Signature1', header, new Uint8Array(), payload]))
  return [header, unprotected_header ?? new Map(), detached ? null : payload, signature]
}

export function publicJwk({ publicKey }: { publicKey: KeyObject }): Record<string, string> {
  const size = brainpoolSize(publicKey)
  if (size === undefined) return publicKey.export({ format: 'jwk' }) as Record<string, string>
  // node:crypto exports no JWK of these curves; the point is at the end of the SPKI.
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-size / 4)
  const [x, y] = [point.subarray(0, size / 8), point.subarray(size / 8)]
  return { kty: 'EC', crv: `BP-${size}`, x: x.toString('base64url'), y: y.toString('base64url') }
}

function brainpoolSize({ asymmetricKeyDetails }: KeyObject): number | undefined {
  const [, size] = /^brainpoolP(\d+)r1$/.exec(asymmetricKeyDetails?.namedCurve ?? '') ?? []
  return size === undefined ? undefined : Number(size)
}

const coseCurves: Record<KeyKind, number> = {
  'P-256': 1,
  'P-384': 2,
  'P-521': 3,
  brainpoolP256r1: 256,
  brainpoolP320r1: 257,
  brainpoolP384r1: 258,
  brainpoolP512r1: 259,
  Ed25519: 6,
  RSA: 0,
}

/** RFC 9052 §7: kty, crv, x, y by number. */
export function coseKey(key: KeyPair): Map<number | string, CborValue> {
  const { x = '', y } = publicJwk(key)
  const curve = coseCurves[key.kind]
  const members: [number, CborValue][] = [
    [1, y === undefined ? 1 : 2],
    [-1, curve],
    [-2, Buffer.from(x, 'base64url')],
  ]
  if (y !== undefined) members.push([-3, Buffer.from(y, 'base64url')])
  return new Map(members)
}
