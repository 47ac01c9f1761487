import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  identifyVerifier,
  type RequestSigner,
  type VerifierAttestation,
  type VerifierIdentity,
} from '@vidimus/protocol'
import { type Config, ConfigError } from '../../engine/config/index.ts'
import { type Database, tables } from '../../engine/db/index.ts'
import { explainUnreadable } from '../../engine/basics/index.ts'
import {
  type Keyring,
  type Hsm,
  HsmKeyError,
  openKeySigner,
  openHsmSigner,
  provesKey,
  readHsmKey,
  writeHsmKey,
} from '../../engine/keyring/index.ts'
import type { Log } from '../../engine/observability/index.ts'
import { findSelfMade, insertCertificate, type CertificateRow } from './store.ts'

/** The verifier's identity: the certificate that wallets show the holder, and a function that signs with its key. */
export type Identity = VerifierIdentity & {
  /** SHA-256 of the leaf, followed by that of the verifier_info if there is one. Verifications store it to identify the verifier. */
  hash: Buffer
  sign: RequestSigner
  verifier_info?: VerifierAttestation[]
}

export type OpenIdentity = {
  config: Config
  db: Database
  keyring: Keyring
  signingHsm: Hsm | undefined
  log: Log
}

const certificateKeyUse = tables.access_certificates.sealed.sealed_key
const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * The service's own identity: the operator's certificate, or one generated here and shared by all processes. Either is stored
 * with its sealed key, or with the name of its key in the HSM, so that open verifications survive a change of certificate.
 */
export async function openIdentity({
  config,
  db,
  keyring,
  signingHsm,
  log,
}: OpenIdentity): Promise<Identity> {
  if (config.SIGNING_CERT_FILE !== undefined) {
    const { identity, ...row } = await openConfigured({ config, keyring, signingHsm })
    await insertCertificate(db, { ...row, hash: identity.hash, tenant_id: null, self_made: false })
    return identity
  }
  if (config.NODE_ENV === 'production') {
    throw new ConfigError([
      'SIGNING_KEY_FILE (or SIGNING_KEY_URI) and SIGNING_CERT_FILE are required in production: wallets do not trust a self-made certificate',
    ])
  }
  log.warn(
    'SIGNING_CERT_FILE is not set: requests are signed with a self-made certificate, which no real wallet trusts',
  )
  const row = (await findSelfMade(db, { lock: false })) ?? (await createSelfMadeOnce({ config, db, keyring }))
  return openStoredIdentity({ keyring, signingHsm }, row)
}

type ConfiguredIdentity = Pick<CertificateRow, 'chain' | 'sealed_key' | 'key_uri'> & { identity: Identity }

/** While a key moves between a file and an HSM, both are configured, and the certificate decides which of them signs. */
async function openConfigured({
  config: { SIGNING_KEY_FILE, SIGNING_KEY_URI, SIGNING_CERT_FILE = '' },
  keyring,
  signingHsm,
}: Omit<OpenIdentity, 'db' | 'log'>): Promise<ConfiguredIdentity> {
  const chain = readConfiguredFile('SIGNING_CERT_FILE', SIGNING_CERT_FILE)
  await signingHsm?.open()
  const problem = signingHsm?.problem()
  if (problem !== undefined) throw new ConfigError([`SIGNING_KEY_URI cannot be used: ${problem}`])
  if (SIGNING_KEY_FILE !== undefined) {
    const key = readConfiguredFile('SIGNING_KEY_FILE', SIGNING_KEY_FILE)
    if (SIGNING_KEY_URI === undefined || isKeyOf(chain, key))
      return {
        identity: readConfigured('SIGNING_KEY_FILE', () => readIdentity(chain, key)),
        chain,
        sealed_key: sealKey(keyring, key),
        key_uri: null,
      }
  }
  if (SIGNING_KEY_URI === undefined) throw new ConfigError(['SIGNING_CERT_FILE needs SIGNING_KEY_FILE'])
  const key_uri = writeHsmKey(SIGNING_KEY_URI)
  const signer = openHsmSigner(signingHsm, SIGNING_KEY_URI)
  const identity = readConfigured('SIGNING_KEY_URI', () => ({ ...readChain(chain), ...signer }))
  try {
    if (!(await provesKey(signer, new X509Certificate(chain).publicKey)))
      throw new HsmKeyError('the key does not belong to the certificate in SIGNING_CERT_FILE')
  } catch (error) {
    const why = error instanceof HsmKeyError ? error.reason : signingHsm?.problem()
    if (why === undefined) throw error
    throw new ConfigError([`SIGNING_KEY_URI cannot be used: ${why}`])
  }
  return { identity, chain, sealed_key: null, key_uri }
}

function readConfiguredFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // Missing, a folder, or not readable by this user.
    throw new ConfigError([explainUnreadable(variable, file, error)])
  }
}

function readConfigured(variable: string, read: () => Identity): Identity {
  try {
    return read()
  } catch (error) {
    const why = error instanceof Error && !('code' in error) ? error.message : 'one of them is not valid PEM'
    throw new ConfigError([`${variable} and SIGNING_CERT_FILE cannot be used: ${why}`])
  }
}

function isKeyOf(chain: string, key: string): boolean {
  try {
    return new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))
  } catch {
    // One of them is not valid PEM.
    return false
  }
}

/** Seals the private key of a certificate for `openStoredIdentity`. */
export function sealKey(keyring: Keyring, key: string): Buffer {
  return keyring.seal(certificateKeyUse, Buffer.from(key))
}

/** Opens a stored certificate with its key, wherever that is. */
export async function openStoredIdentity(
  { keyring, signingHsm }: Pick<OpenIdentity, 'keyring' | 'signingHsm'>,
  { chain, sealed_key, key_uri }: CertificateRow,
): Promise<Identity> {
  if (sealed_key !== null)
    return readIdentity(chain, (await keyring.unseal(certificateKeyUse, sealed_key)).toString())
  const key = readHsmKey(key_uri ?? '')
  if ('problem' in key) throw new Error(`The key URI of a stored certificate is invalid: it ${key.problem}`)
  return { ...readChain(chain), ...openHsmSigner(signingHsm, key.value) }
}

/** Reads a PEM chain, leaf first, and its key. Throws an error that tells the operator what to fix. */
export function readIdentity(chainPem: string, keyPem: string): Identity {
  const identity = readChain(chainPem)
  const key = createPrivateKey(keyPem)
  if (!new X509Certificate(chainPem).checkPrivateKey(key))
    throw new Error('the key does not belong to the certificate')
  return { ...identity, ...openKeySigner(key) }
}

/** Reads a PEM chain, leaf first, and checks that wallets would accept its form. */
export function readChain(chainPem: string): Omit<Identity, 'sign'> {
  const identity = identifyVerifier({ certificates: readDerChain(chainPem), prefix: 'x509_hash' })
  return {
    ...identity,
    hash: createHash('sha256')
      .update(Buffer.from(identity.x5c[0] ?? '', 'base64'))
      .digest(),
  }
}

/** The certificates of a PEM chain, leaf first. */
export function readDerChain(chainPem: string): Buffer[] {
  return (chainPem.match(certificatePattern) ?? []).map((pem) => new X509Certificate(pem).raw)
}

/** Two processes may start at the same time: the second finds what the first has created. */
async function createSelfMadeOnce({
  config,
  db,
  keyring,
}: Pick<OpenIdentity, 'config' | 'db' | 'keyring'>): Promise<CertificateRow> {
  // Imported here because it loads the whole sandbox.
  const { makeAccessCertificate } = await import('./make-access-certificate.ts')
  return db.transaction(async (tx) => {
    const made = await findSelfMade(tx, { lock: true })
    if (made !== undefined) return made
    const { chain, key } = makeAccessCertificate(new URL(config.BASE_URL).hostname)
    const { hash } = readIdentity(chain, key)
    const row = { hash, chain, sealed_key: sealKey(keyring, key), key_uri: null }
    await insertCertificate(tx, { ...row, tenant_id: null, self_made: true })
    return row
  })
}
