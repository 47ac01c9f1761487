import { deflateSync } from 'node:zlib'
import type { StatusListToken } from '../src/presentation.ts'
import { NOW, type Issued } from './certificates.ts'
import { coseAlg, joseAlg, signCose, signJws } from './sign.ts'
import { encode, map, type Value } from './write-cbor.ts'

export const LIST_URI = 'https://issuer.example/status/1'

export type ListOptions = {
  bits?: number
  bytes?: Uint8Array
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  chain?: Buffer[]
  /** Signs in place of the signer whose certificate is enclosed. */
  key?: Issued
}

export function makeListJwt(signer: Issued, options: ListOptions = {}): StatusListToken {
  const { bits = 1, bytes = Buffer.alloc(16), chain = [signer.der], key = signer } = options
  const lst = deflateSync(bytes, { level: 9 }).toString('base64url')
  const x5c = chain.map((certificate) => certificate.toString('base64'))
  const header = { alg: joseAlg(key), typ: 'statuslist+jwt', x5c, ...options.header }
  const payload = { sub: LIST_URI, iat: NOW - 60, exp: NOW + 3600, ttl: 600, status_list: { bits, lst } }
  return { token: signJws(header, { ...payload, ...options.payload }, key), media: 'jwt' }
}

export function makeListCwt(
  signer: Issued,
  { bits = 1, bytes = Buffer.alloc(16), key = signer }: ListOptions = {},
): StatusListToken {
  const claims = new Map<number, Value>([
    [2, LIST_URI],
    [6, NOW - 60],
    [4, NOW + 3600],
    [65534, 600],
    [65533, map({ bits, lst: deflateSync(bytes, { level: 9 }) })],
  ])
  const sign1 = signCose({
    protected_header: new Map<number, Value>([
      [1, coseAlg(key)],
      [16, 'application/statuslist+cwt'],
    ]),
    unprotected_header: new Map([[33, signer.der]]),
    payload: encode(claims),
    key,
  })
  return { token: encode({ tag: 18, value: sign1 }), media: 'cwt' }
}
