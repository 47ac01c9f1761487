import { sign } from 'node:crypto'
import type { StatusListToken } from '../src/presentation.ts'
import { extension, fixedNow, makeCertificate, type IssuedCertificate, type KeyPair } from './certificates.ts'
import { bits, der, integer, oid, sequence, time } from './write-der.ts'

export const crlUri = 'http://crl.example/authority.crl'

export type CrlOptions = {
  /** Serial numbers, hexadecimal. */
  revoked?: string[]
  entry_extensions?: Buffer[]
  issued_at?: number
  /** Null leaves it out. */
  next_update?: number | null
  extensions?: Buffer[]
  /** Signs instead of the authority. */
  key?: KeyPair
  /** The algorithm inside the signed part, if it differs from the one outside. */
  inner_algorithm?: Buffer
  algorithm?: Buffer
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))

/** A certificate revocation list of an authority, valid or not. */
export function makeCrl(authority: IssuedCertificate, options: CrlOptions = {}): StatusListToken {
  const {
    revoked = [],
    issued_at = fixedNow - 3600,
    next_update = fixedNow + 3600,
    key = authority,
    algorithm = ecdsaWithSha256,
    inner_algorithm = algorithm,
  } = options
  const entries = revoked.map((serial) =>
    sequence(
      der(0x02, Buffer.from(serial, 'hex')),
      time(issued_at),
      ...(options.entry_extensions ? [sequence(...options.entry_extensions)] : []),
    ),
  )
  const body = sequence(
    integer(1),
    inner_algorithm,
    authority.subject,
    time(issued_at),
    ...(next_update === null ? [] : [time(next_update)]),
    ...(entries.length === 0 ? [] : [sequence(...entries)]),
    der(0xa0, sequence(extension('2.5.29.20', integer(1)), ...(options.extensions ?? []))),
  )
  const token = sequence(body, algorithm, bits(sign('sha256', body, key.privateKey)))
  return { token, media: 'crl' }
}

/** The extension of a certificate that names these places (RFC 5280 §4.2.1.13), one point for each. */
export function distributionPoints(...uris: string[]): Buffer {
  return extension('2.5.29.31', sequence(...uris.map((uri) => sequence(fullName(uri)))))
}

export function fullName(uri: string): Buffer {
  return der(0xa0, der(0xa0, der(0x86, Buffer.from(uri))))
}

/** The issuing distribution point of a list (RFC 5280 §5.2.5). */
export function issuingPoint(...members: Buffer[]): Buffer {
  return extension('2.5.29.28', sequence(...members), true)
}

export const certificateAndCrlSign = 0x06

/** An authority that may sign revocation lists, and a signer under it that names one. */
export function makeCrlFixture(...uris: string[]): {
  authority: IssuedCertificate
  signer: IssuedCertificate
} {
  const authority = makeCertificate({
    authority: true,
    common_name: 'Test Authority',
    path_length: 1,
    usage: certificateAndCrlSign,
  })
  const signer = makeCertificate({
    issuer: authority,
    extensions: [distributionPoints(...(uris.length === 0 ? [crlUri] : uris))],
  })
  return { authority, signer }
}
