import { createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  fromDerSignature,
  identifyVerifier,
  type RequestSigner,
  type VerifierAttestation,
  type VerifierIdentity,
} from '@vidimus/protocol'
import { ConfigError, type Config } from '../../config.ts'
import type { Database } from '../../platform/db/open.ts'
import { explainUnreadable } from '../../platform/explain-unreadable.ts'
import type { Keyring } from '../../platform/keyring/open.ts'
import type { Log } from '../../platform/log.ts'
import { makeAccessCertificate } from './make-access-certificate.ts'
import { findSelfMade, insertCertificate, type CertificateRow } from './store.ts'

/** The verifier's identity: the certificate that wallets show the holder, and a function that signs with its key. */
export type Identity = VerifierIdentity & {
  /** SHA-256 of the leaf, followed by that of the verifier_info if there is one. Sessions store it to identify the verifier. */
  hash: Buffer
  sign: RequestSigner
  verifier_info?: VerifierAttestation[]
}

export type OpenIdentity = { config: Config; db: Database; keyring: Keyring; log: Log }

export const certificateKeyUse = 'access certificate'
/** An ES256 signature: r and s of 32 bytes each. */
const signature_bytes = 64
const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * The service's own identity: the operator's certificate, or one generated here and shared by all processes. Either is stored
 * with its sealed key, so that open sessions survive a change of certificate.
 */
export async function openIdentity({ config, db, keyring, log }: OpenIdentity): Promise<Identity> {
  if (config.SIGNING_KEY_FILE !== undefined && config.SIGNING_CERT_FILE !== undefined) {
    const key = readConfiguredFile('SIGNING_KEY_FILE', config.SIGNING_KEY_FILE)
    const chain = readConfiguredFile('SIGNING_CERT_FILE', config.SIGNING_CERT_FILE)
    const identity = readConfiguredIdentity(chain, key)
    await insertCertificate(db, {
      hash: identity.hash,
      chain,
      sealed_key: sealKey(keyring, key),
      tenant_id: null,
      self_made: false,
    })
    return identity
  }
  if (config.NODE_ENV === 'production') {
    throw new ConfigError([
      'SIGNING_KEY_FILE and SIGNING_CERT_FILE are required in production: wallets do not trust a self-made certificate',
    ])
  }
  log.warn(
    'SIGNING_CERT_FILE is not set: requests are signed with a self-made certificate, which no real wallet trusts',
  )
  const row = (await findSelfMade(db, { lock: false })) ?? (await createSelfMadeOnce({ config, db, keyring }))
  return unsealIdentity(keyring, row)
}

function readConfiguredFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // Missing, a folder, or not readable by this user.
    throw new ConfigError([explainUnreadable(variable, file, error)])
  }
}

function readConfiguredIdentity(chain: string, key: string): Identity {
  try {
    return readIdentity(chain, key)
  } catch (error) {
    const why = error instanceof Error && !('code' in error) ? error.message : 'one of them is not valid PEM'
    throw new ConfigError([`SIGNING_KEY_FILE and SIGNING_CERT_FILE cannot be used: ${why}`])
  }
}

/** Seals the private key of a certificate for `unsealIdentity`. */
export function sealKey(keyring: Keyring, key: string): Buffer {
  return keyring.seal(certificateKeyUse, Buffer.from(key))
}

/** Opens a stored certificate with its key. */
export async function unsealIdentity(
  keyring: Keyring,
  { chain, sealed_key }: CertificateRow,
): Promise<Identity> {
  return readIdentity(chain, (await keyring.unseal(certificateKeyUse, sealed_key)).toString())
}

/** Reads a PEM chain, leaf first, and its key. Throws an error that tells the operator what to fix. */
export function readIdentity(chainPem: string, keyPem: string): Identity {
  const chain = (chainPem.match(certificatePattern) ?? []).map((pem) => new X509Certificate(pem))
  const identity = identifyVerifier({ certificates: chain.map(({ raw }) => raw), prefix: 'x509_hash' })
  const key = createPrivateKey(keyPem)
  if (chain[0]?.checkPrivateKey(key) !== true) throw new Error('the key does not belong to the certificate')
  return {
    ...identity,
    hash: createHash('sha256').update(chain[0].raw).digest(),
    sign: (bytes) => signWith(key, bytes),
  }
}

/** Two processes may start at the same time: the second finds what the first has created. */
async function createSelfMadeOnce({
  config,
  db,
  keyring,
}: Omit<OpenIdentity, 'log'>): Promise<CertificateRow> {
  return db.transaction(async (tx) => {
    const made = await findSelfMade(tx, { lock: true })
    if (made !== undefined) return made
    const { chain, key } = makeAccessCertificate(new URL(config.BASE_URL).hostname)
    const { hash } = readIdentity(chain, key)
    const row = { hash, chain, sealed_key: sealKey(keyring, key) }
    await insertCertificate(tx, { ...row, tenant_id: null, self_made: true })
    return row
  })
}

/** ES256 on the thread pool, so that signing does not block the event loop. */
function signWith(key: KeyObject, bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    sign('sha256', bytes, key, (error, signature) =>
      error === null ? resolve(fromDerSignature(signature, signature_bytes)) : reject(error),
    )
  })
}
