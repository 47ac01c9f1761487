import { createHash, sign } from 'node:crypto'
import type { StatusListToken } from '../src/presentation.ts'
import { extension, fixedNow, makeCertificate, type IssuedCertificate, type KeyPair } from './certificates.ts'
import { bits, der, octets, oid, sequence, time } from './write-der.ts'

export const ocspUri = 'http://ocsp.example/authority'

export type OcspOptions = {
  status?: 'good' | 'revoked' | 'unknown'
  issued_at?: number
  produced_at?: number
  /** Null leaves it out. */
  next_update?: number | null
  /** Who signs, and is named as the signer; the authority if absent. */
  delegate?: IssuedCertificate
  /** Names the signer by its key. */
  by_key?: boolean
  /** Signs instead. */
  key?: KeyPair
  /** Sent along; the delegate's if absent. */
  certificates?: Buffer[]
  /** Hexadecimal; that of the certificate if absent. */
  serial?: string
  name_hash?: Buffer
  key_hash?: Buffer
  hash_oid?: string
  algorithm?: Buffer
  extensions?: Buffer[]
  status_extensions?: Buffer[]
  response_status?: number
  type?: string
  /** Responses about other certificates that come first. */
  others?: number
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const sha1 = (bytes: Uint8Array): Buffer => createHash('sha1').update(bytes).digest()

/** The key of an EC certificate as a bit string has it: an uncompressed point on P-256. */
function keyHash({ publicKey }: KeyPair): Buffer {
  return sha1(publicKey.export({ format: 'der', type: 'spki' }).subarray(-65))
}

/** An OCSP response of an authority about a serial number (hexadecimal), valid or not. */
export function makeOcspResponse(
  authority: IssuedCertificate,
  serial: string,
  options: OcspOptions = {},
): StatusListToken {
  const {
    status = 'good',
    issued_at = fixedNow - 3600,
    produced_at = issued_at,
    next_update = fixedNow + 3600,
    delegate,
    key = delegate ?? authority,
    certificates = delegate ? [delegate.der] : [],
    algorithm = ecdsaWithSha256,
    response_status = 0,
    others = 0,
  } = options
  const signer = delegate ?? authority
  const single = (number: string) =>
    sequence(
      sequence(
        sequence(oid(options.hash_oid ?? '1.3.14.3.2.26'), der(0x05)),
        octets(options.name_hash ?? sha1(authority.subject)),
        octets(options.key_hash ?? keyHash(authority)),
        der(0x02, Buffer.from(number, 'hex')),
      ),
      writeStatus(status, issued_at),
      time(issued_at),
      ...(next_update === null ? [] : [der(0xa0, time(next_update))]),
      ...(options.status_extensions ? [der(0xa1, sequence(...options.status_extensions))] : []),
    )
  const otherNumbers = Array.from({ length: others }, (_, at) => (0x1000 + at).toString(16))
  const body = sequence(
    options.by_key === true ? der(0xa2, octets(keyHash(signer))) : der(0xa1, signer.subject),
    time(produced_at),
    sequence(...[...otherNumbers, options.serial ?? serial].map(single)),
    ...(options.extensions ? [der(0xa1, sequence(...options.extensions))] : []),
  )
  const basic = sequence(
    body,
    algorithm,
    bits(sign('sha256', body, key.privateKey)),
    ...(certificates.length === 0 ? [] : [der(0xa0, sequence(...certificates))]),
  )
  const content = sequence(oid(options.type ?? '1.3.6.1.5.5.7.48.1.1'), octets(basic))
  const token = sequence(
    der(0x0a, Buffer.of(response_status)),
    ...(response_status === 0 ? [der(0xa0, content)] : []),
  )
  return { token, media: 'ocsp' }
}

/** The extension of a certificate that names these responders (RFC 5280 §4.2.2.1). */
export function responders(...uris: string[]): Buffer {
  const access = uris.map((uri) => sequence(oid('1.3.6.1.5.5.7.48.1'), der(0x86, Buffer.from(uri))))
  const issuers = sequence(oid('1.3.6.1.5.5.7.48.2'), der(0x86, Buffer.from('http://issuer.example/ca.crt')))
  return extension('1.3.6.1.5.5.7.1.1', sequence(issuers, ...access))
}

export const ocspSigningOid = '1.3.6.1.5.5.7.3.9'
export const noCheck = extension('1.3.6.1.5.5.7.48.1.5', der(0x05))

/** An authority and a signer under it that names responders. */
export function makeOcspFixture(...uris: string[]): {
  authority: IssuedCertificate
  signer: IssuedCertificate
} {
  const authority = makeCertificate({ authority: true, common_name: 'Test Authority', path_length: 1 })
  const named = uris.length === 0 ? [ocspUri] : uris
  return { authority, signer: makeCertificate({ issuer: authority, extensions: [responders(...named)] }) }
}

function writeStatus(status: 'good' | 'revoked' | 'unknown', issuedAt: number): Buffer {
  if (status === 'good') return der(0x80)
  return status === 'revoked' ? der(0xa1, time(issuedAt)) : der(0x82)
}
