import { randomBytes, type KeyObject } from 'node:crypto'
import { signDer, type Algorithm, type SigningKey } from '../keys/signing-key.ts'
import {
  bitString,
  boolean,
  explicit,
  integer,
  octetString,
  oid,
  printableString,
  sequence,
  set,
  time,
  utf8String,
  type Der,
} from './der.ts'
import type { Extension } from './extensions.ts'

export type Name = {
  country?: string
  state?: string
  organization?: string
  /** Of a legal person (ETSI EN 319 412-1 §5.1.4), such as `NTRUT-12345678`. */
  organization_identifier?: string
  /** Of a natural person. */
  serial_number?: string
  common_name: string
}

export type CertificateDraft = {
  subject: Name
  /** In DER if the authority was not made here: its subject must be repeated byte by byte. */
  issuer: Name | Der
  not_before: Date
  not_after: Date
  public_key: KeyObject
  /** Unsigned big-endian; random by default. */
  serial?: Uint8Array
  extensions: readonly Extension[]
}

/** Signs an X.509 version 3 certificate (RFC 5280 §4.1) and returns its DER. */
export function signCertificate(draft: CertificateDraft, issuerKey: SigningKey): Uint8Array {
  const algorithm = signatureAlgorithm(issuerKey)
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(draft.serial ?? serialNumber()),
    algorithm,
    name(draft.issuer),
    sequence(time(draft.not_before), time(draft.not_after)),
    name(draft.subject),
    draft.public_key.export({ format: 'der', type: 'spki' }),
    explicit(3, sequence(...draft.extensions.map(extension))),
  )
  return sequence(tbs, algorithm, bitString(signDer(issuerKey, tbs)))
}

export function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

export function fromPem(pem: string): Uint8Array {
  return Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')
}

/** The AlgorithmIdentifier of a signature with this key. */
export function signatureAlgorithm(key: SigningKey): Der {
  return sequence(oid(signatureOid[key.algorithm]))
}

const signatureOid = {
  ES256: '1.2.840.10045.4.3.2',
  ES384: '1.2.840.10045.4.3.3',
  ES512: '1.2.840.10045.4.3.4',
  ESB256: '1.2.840.10045.4.3.2',
  ESB320: '1.2.840.10045.4.3.3',
  ESB384: '1.2.840.10045.4.3.3',
  ESB512: '1.2.840.10045.4.3.4',
  EdDSA: '1.3.101.112',
} satisfies Record<Algorithm, string>

/** Positive, never zero, 126 random bits (RFC 5280 §4.1.2.2). */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

export function name(given: Name | Der): Der {
  if (given instanceof Uint8Array) return given
  const { country, state, organization, organization_identifier, serial_number, common_name } = given
  return sequence(
    ...attribute('2.5.4.6', country, printableString),
    ...attribute('2.5.4.8', state, utf8String),
    ...attribute('2.5.4.10', organization, utf8String),
    ...attribute('2.5.4.97', organization_identifier, utf8String),
    ...attribute('2.5.4.5', serial_number, printableString),
    ...attribute('2.5.4.3', common_name, utf8String),
  )
}

function attribute(type: string, value: string | undefined, write: (text: string) => Der): Der[] {
  return value === undefined ? [] : [set(sequence(oid(type), write(value)))]
}

export function extension({ oid: id, critical, value }: Extension): Der {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value))
}
