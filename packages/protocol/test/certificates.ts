import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { bits, der, integer, octets, oid, sequence, set, time, truth, utf8 } from './write-der.ts'

type BrainpoolKind = 'brainpoolP256r1' | 'brainpoolP320r1' | 'brainpoolP384r1' | 'brainpoolP512r1'
export type KeyKind = 'P-256' | 'P-384' | 'P-521' | BrainpoolKind | 'Ed25519' | 'RSA'
export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject; kind: KeyKind }
export type IssuedCertificate = KeyPair & { der: Buffer; subject: Buffer }

export type CertificateOptions = {
  common_name?: string
  country?: string
  state?: string
  /** Self-signed if absent. */
  issuer?: IssuedCertificate
  key?: KeyPair
  valid_from?: number
  valid_until?: number
  authority?: boolean
  path_length?: number
  /** The first octet of the key usage; null omits the extension. */
  usage?: number | null
  purposes?: { critical: boolean; oids: string[] }
  extensions?: Buffer[]
  /** Signs instead of the issuer. */
  forged_with?: KeyPair
  signature_hash?: 'sha1' | 'sha256'
}

export const fixedNow = Date.UTC(2026, 5, 1) / 1000
export const year_seconds = 365 * 24 * 3600
export const mdlSignerOid = '1.0.18013.5.1.2'
const digitalSignatureUsage = 0x80
export const certificateSignUsage = 0x04

export function makeKey(kind: KeyKind = 'P-256'): KeyPair {
  if (kind === 'RSA') return { ...generateKeyPairSync('rsa', { modulusLength: 2048 }), kind }
  if (kind === 'Ed25519') return { ...generateKeyPairSync('ed25519'), kind }
  return { ...generateKeyPairSync('ec', { namedCurve: kind }), kind }
}

/** Builds an X.509 certificate from its options, valid or not. */
export function makeCertificate(options: CertificateOptions = {}): IssuedCertificate {
  const {
    authority = false,
    key = makeKey(),
    valid_from = fixedNow - year_seconds,
    valid_until = fixedNow + year_seconds,
  } = options
  const { usage = authority ? certificateSignUsage : digitalSignatureUsage, signature_hash = 'sha256' } =
    options
  const subject = name(options)
  const signer = options.forged_with ?? options.issuer ?? key
  const algorithm = signatureAlgorithm(signer, signature_hash)
  const body = sequence(
    der(0xa0, integer(2)),
    der(0x02, Buffer.from([0x01, ...randomBytes(8)])),
    algorithm,
    options.issuer?.subject ?? subject,
    sequence(time(valid_from), time(valid_until)),
    subject,
    key.publicKey.export({ format: 'der', type: 'spki' }),
    der(
      0xa3,
      sequence(
        ...(authority ? [basicConstraints(options.path_length)] : []),
        ...(usage === null ? [] : [extension('2.5.29.15', bits(Buffer.from([usage])), true)]),
        ...(options.purposes ? [extendedKeyUsage(options.purposes)] : []),
        ...(options.issuer ? [authorityKeyId(options.issuer)] : []),
        ...(options.extensions ?? []),
      ),
    ),
  )
  const hash = signer.kind === 'Ed25519' ? null : signature_hash
  return { ...key, subject, der: sequence(body, algorithm, bits(sign(hash, body, signer.privateKey))) }
}

export function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [truth] : []), octets(value))
}

/** The key identifier that certificates issued with this key contain: the last bytes of the key. */
export function keyId({ publicKey }: KeyPair): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-20)
}

export function pem({ der: bytes }: IssuedCertificate): string {
  const body = bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`
}

function name({ common_name = 'Test Signer', country = 'UT', state }: CertificateOptions): Buffer {
  const attribute = (id: string, text: string): Buffer => set(sequence(oid(id), utf8(text)))
  return sequence(
    attribute('2.5.4.6', country),
    ...(state === undefined ? [] : [attribute('2.5.4.8', state)]),
    attribute('2.5.4.3', common_name),
  )
}

function signatureAlgorithm({ kind }: KeyPair, hash: 'sha1' | 'sha256'): Buffer {
  if (kind === 'Ed25519') return sequence(oid('1.3.101.112'))
  if (kind === 'RSA') return sequence(oid('1.2.840.113549.1.1.11'), der(0x05))
  return sequence(oid(hash === 'sha1' ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2'))
}

function basicConstraints(pathLength: number | undefined): Buffer {
  const limit = pathLength === undefined ? [] : [integer(pathLength)]
  return extension('2.5.29.19', sequence(truth, ...limit), true)
}

function extendedKeyUsage({ critical, oids }: { critical: boolean; oids: string[] }): Buffer {
  return extension('2.5.29.37', sequence(...oids.map(oid)), critical)
}

function authorityKeyId(issuer: IssuedCertificate): Buffer {
  return extension('2.5.29.35', sequence(der(0x80, keyId(issuer))))
}
