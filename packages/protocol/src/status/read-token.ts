import { expectBytes, expectMap, isTagged } from '../cbor/expect.ts'
import { readCbor, type Cbor, type CborMap, type CborOptions } from '../cbor/read.ts'
import { buildSigStructure, readSign1, readX5chain } from '../cose/sign1.ts'
import { findJoseAlgorithm } from '../crypto/algorithms.ts'
import { expectBase64url } from '../crypto/base64.ts'
import { readJws, readX5c } from '../crypto/read-jws.ts'
import { InputError } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { StatusListToken } from '../presentation.ts'
import type { SignedData } from '../x509/verify-signer.ts'

/** What every signed list says about itself. */
export type ListHead = {
  chain: Uint8Array[]
  /** The URI that the list was issued for. */
  uri: string
  /** Seconds since 1970. */
  issued_at: number
  expires_at: number | undefined
  /** How long a copy may be used before a new one is fetched. */
  ttl_seconds: number | undefined
}

/** A parsed Status List Token (Token Status List §5). Nothing in it is verified. */
export type UnverifiedStatusList = SignedData & ListHead & { bits: 1 | 2 | 4 | 8; compressed: Uint8Array }

/** The payload of a parsed CWT, and the rest of it. Nothing in it is verified. */
type UnverifiedCwt = SignedData & ListHead & { claims: CborMap }

const cwtTag = 61
const maxToken_bytes = 8 * 1024 * 1024

/** Throws an InputError. */
export function readToken({ token, media }: StatusListToken): UnverifiedStatusList {
  if (media === 'crl') throw new InputError('a certificate revocation list is not a status list')
  return media === 'jwt' ? readJwt(token) : readStatusListCwt(token)
}

function readJwt(token: string | Uint8Array): UnverifiedStatusList {
  if (token.length > maxToken_bytes) throw new InputError('the status list is too large')
  const text = typeof token === 'string' ? token : Buffer.from(token).toString('latin1')
  const { header, payload, signed, signature } = readJws(text.trim())
  if (header['typ'] !== 'statuslist+jwt')
    throw new InputError('the typ of the status list is not statuslist+jwt')
  if (header['crit'] !== undefined) throw new InputError('the status list requires an unsupported extension')

  const { bits, lst } = isObject(payload['status_list']) ? payload['status_list'] : {}
  if (typeof lst !== 'string') throw new InputError('the token contains no status list')
  return {
    algorithm: findJoseAlgorithm(header['alg']),
    signed,
    signature,
    chain: readX5c(header),
    ...readClaims({ sub: payload['sub'], iat: payload['iat'], exp: payload['exp'], ttl: payload['ttl'] }),
    bits: readBits(bits),
    compressed: expectBase64url(lst),
  }
}

/** The number 65533 is the claim of the list. */
function readStatusListCwt(token: string | Uint8Array): UnverifiedStatusList {
  const { claims, ...cwt } = readCwt(token, 'application/statuslist+cwt')
  const list = expectMap(claims.get(65533), 'the status list')
  return { ...cwt, bits: readBits(list.get('bits')), compressed: expectBytes(list.get('lst'), 'lst') }
}

/** RFC 8392 assigns numbers to the claims; 65534 is the time to live of a list. Throws an InputError. */
export function readCwt(token: string | Uint8Array, type: string, options?: CborOptions): UnverifiedCwt {
  if (token.length > maxToken_bytes) throw new InputError('the status list is too large')
  if (typeof token === 'string') throw new InputError('the status list is not CBOR')
  const sign1 = readSign1(withoutCwtTag(readCbor(token)), 'the status list')
  if (sign1.protected_header.get(16) !== type)
    throw new InputError(`the type of the status list is not ${type}`)
  const payload = expectBytes(sign1.payload, 'the payload of the status list')
  const claims = expectMap(readCbor(payload, options), 'the payload of the status list')
  return {
    algorithm: sign1.algorithm,
    signed: buildSigStructure(sign1, payload),
    signature: sign1.signature,
    chain: readX5chain(sign1),
    ...readClaims({ sub: claims.get(2), iat: claims.get(6), exp: claims.get(4), ttl: claims.get(65534) }),
    claims,
  }
}

/** RFC 8392 §6: a CWT may carry its own tag around that of the COSE message. */
function withoutCwtTag(token: Cbor): Cbor {
  return isTagged(token) && token.tag === cwtTag ? token.value : token
}

type TokenClaims = Record<'sub' | 'iat' | 'exp' | 'ttl', unknown>

function readClaims({ sub, iat, exp, ttl }: TokenClaims): Omit<ListHead, 'chain'> {
  if (typeof sub !== 'string' || typeof iat !== 'number')
    throw new InputError('the status list has no sub or no iat')
  return { uri: sub, issued_at: iat, expires_at: readNumber(exp), ttl_seconds: readNumber(ttl) }
}

function readNumber(value: unknown): number | undefined {
  if (value === undefined || typeof value === 'number') return value
  throw new InputError('the exp or ttl of the status list is not a number')
}

function readBits(bits: unknown): UnverifiedStatusList['bits'] {
  if (bits === 1 || bits === 2 || bits === 4 || bits === 8) return bits
  throw new InputError('the entries of the status list do not have 1, 2, 4 or 8 bits')
}
