import { deflateSync } from 'node:zlib'
import type { StatusListToken } from '../src/presentation.ts'
import { cborMap, encodeCbor, type CborValue } from './cbor.ts'
import { fixedNow, type IssuedCertificate } from './certificates.ts'
import { coseAlg, joseAlg, signCose, signJws } from './sign.ts'

export const listUri = 'https://issuer.example/status/1'

export type StatusListOptions = {
  bits?: number
  bytes?: Uint8Array
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  chain?: Buffer[]
  /** Signs instead of the signer whose certificate is included. */
  key?: IssuedCertificate
}

export function makeListJwt(signer: IssuedCertificate, options: StatusListOptions = {}): StatusListToken {
  const { bits = 1, bytes = Buffer.alloc(16), chain = [signer.der], key = signer } = options
  const lst = deflateSync(bytes, { level: 9 }).toString('base64url')
  const x5c = chain.map((certificate) => certificate.toString('base64'))
  const header = { alg: joseAlg(key), typ: 'statuslist+jwt', x5c, ...options.header }
  const payload = {
    sub: listUri,
    iat: fixedNow - 60,
    exp: fixedNow + 3600,
    ttl: 600,
    status_list: { bits, lst },
  }
  return { token: signJws(header, { ...payload, ...options.payload }, key), media: 'jwt' }
}

export function makeListCwt(
  signer: IssuedCertificate,
  { bits = 1, bytes = Buffer.alloc(16), key = signer }: StatusListOptions = {},
): StatusListToken {
  const claims = new Map<number, CborValue>([
    [2, listUri],
    [6, fixedNow - 60],
    [4, fixedNow + 3600],
    [65534, 600],
    [65533, cborMap({ bits, lst: deflateSync(bytes, { level: 9 }) })],
  ])
  const sign1 = signCose({
    protected_header: new Map<number, CborValue>([
      [1, coseAlg(key)],
      [16, 'application/statuslist+cwt'],
    ]),
    unprotected_header: new Map([[33, signer.der]]),
    payload: encodeCbor(claims),
    key,
  })
  return { token: encodeCbor({ tag: 18, value: sign1 }), media: 'cwt' }
}
