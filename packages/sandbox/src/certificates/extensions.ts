import { createHash, type KeyObject } from 'node:crypto'
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  type Der,
} from './der.ts'

export type Extension = { readonly oid: string; readonly critical: boolean; readonly value: Der }

export type KeyUse = 'digital_signature' | 'key_cert_sign' | 'crl_sign'

/** Bit numbers of RFC 5280 §4.2.1.3, counted from the left. */
const keyUseBits = { digital_signature: 0, key_cert_sign: 5, crl_sign: 6 } satisfies Record<KeyUse, number>

export function basicConstraints(ca: boolean, pathLength?: number): Extension {
  const members = ca ? [boolean(true), ...(pathLength === undefined ? [] : [integer(pathLength)])] : []
  return { oid: '2.5.29.19', critical: true, value: sequence(...members) }
}

export function keyUsage(...uses: KeyUse[]): Extension {
  const numbers = uses.map((use) => keyUseBits[use])
  const bits = numbers.reduce((sum, bit) => sum | (0x80 >> bit), 0)
  // DER omits the trailing zeros of a named bit list.
  return { oid: '2.5.29.15', critical: true, value: bitString(Uint8Array.of(bits), 7 - Math.max(...numbers)) }
}

export const extendedKeyUsageOid = '2.5.29.37'

export function extendedKeyUsage(purpose: string, critical: boolean): Extension {
  return { oid: extendedKeyUsageOid, critical, value: sequence(oid(purpose)) }
}

export function subjectKeyIdentifier(key: KeyObject): Extension {
  return { oid: '2.5.29.14', critical: false, value: octetString(keyIdentifier(key)) }
}

export function authorityKeyIdentifier(key: KeyObject): Extension {
  return { oid: '2.5.29.35', critical: false, value: sequence(implicit(0, keyIdentifier(key))) }
}

/** An extension with one OCTET STRING, such as a hash. */
export function octetStringExtension(id: string, content: Uint8Array): Extension {
  return { oid: id, critical: false, value: octetString(content) }
}

export function subjectDnsName(name: string): Extension {
  return { oid: '2.5.29.17', critical: false, value: sequence(implicit(2, Buffer.from(name, 'ascii'))) }
}

/** How to contact the issuer. ISO 18013-5 annex B requires it in both certificates of an mDL. */
export function issuerUri(uri: string): Extension {
  return { oid: '2.5.29.18', critical: false, value: sequence(implicit(6, Buffer.from(uri, 'ascii'))) }
}

export const crlDistributionPointsOid = '2.5.29.31'

/** Where the CRL for a certificate is published (RFC 5280 §4.2.1.13): one point with one name. */
export function crlDistributionPoint(uri: string): Extension {
  return { oid: crlDistributionPointsOid, critical: false, value: sequence(sequence(fullName(uri))) }
}

/** Where the responder for a certificate is (RFC 5280 §4.2.2.1). */
export function ocspResponder(uri: string): Extension {
  const access = sequence(oid('1.3.6.1.5.5.7.48.1'), implicit(6, Buffer.from(uri, 'ascii')))
  return { oid: '1.3.6.1.5.5.7.1.1', critical: false, value: sequence(access) }
}

/** The certificate of a responder is not looked up itself (RFC 6960 §4.2.2.2.1). */
export const ocspNoCheck: Extension = {
  oid: '1.3.6.1.5.5.7.48.1.5',
  critical: false,
  value: Uint8Array.of(5, 0),
}

/** A DistributionPointName: the tag of the point around that of the full name. */
export function fullName(uri: string): Der {
  return explicit(0, explicit(0, implicit(6, Buffer.from(uri, 'ascii'))))
}

/** SHA-1 of the subjectPublicKey bits (RFC 5280 §4.2.1.2, method 1). An identifier only; no security depends on it. */
export function keyIdentifier(key: KeyObject): Uint8Array {
  const spki = key.export({ format: 'der', type: 'spki' })
  return createHash('sha1').update(subjectPublicKey(spki)).digest()
}

/** The bits are the last member of SubjectPublicKeyInfo. On the sandbox's curves they have fewer than 256 bytes. */
function subjectPublicKey(spki: Buffer): Buffer {
  const algorithm = contentStart(spki, 0)
  const bits = algorithm + 2 + (spki[algorithm + 1] ?? 0)
  return spki.subarray(contentStart(spki, bits) + 1)
}

function contentStart(der: Buffer, at: number): number {
  return at + ((der[at + 1] ?? 0) < 0x80 ? 2 : 3)
}
