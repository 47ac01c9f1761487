import { type KeyObject, generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type IdTokenAlgorithm, idTokenAlgorithms } from '@vidimus/contract'
import { type Language, listLanguages } from '@vidimus/holder-texts'
import type { Config } from '../../../engine/config/index.ts'
import type { Context } from '../../../engine/context.ts'
import { tables } from '../../../engine/db/index.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import { standardClaims } from '../token/render-claims.ts'
import { type IssuerRow, type NewSigningKey, insertIssuer, insertKeys, readIssuer } from './store.ts'

export const subjectKeyUse = tables.openid_issuers.sealed.sealed
const subjectKey_bytes = 32

/** Makes the tenant an issuer with keys of its own, unless it is one. Does nothing for a tenant that does not exist. */
export async function ensureIssuer(
  { db, keyring, config }: Pick<Context, 'db' | 'keyring' | 'config'>,
  tenant_id: string,
): Promise<void> {
  if ((await readIssuer(db, tenant_id)) !== undefined) return
  const keys = await makeSigningKeys({ keyring })
  const sealed = keyring.seal(subjectKeyUse, randomBytes(subjectKey_bytes))
  await db.transaction(async (tx) => {
    // Of two processes that create a first client, one stores its keys.
    const inserted = await insertIssuer(tx, { tenant_id, cell: config.CELL, sealed })
    if (inserted) await insertKeys(tx, { tenant_id, keys, delay_seconds: 0 })
  })
}

export type Issuer = IssuerRow & {
  /** Its address, as it is in tokens. */
  url: string
  /** The languages of its pages. */
  languages: readonly Language[]
}

const issuerId = /^[0-9A-Za-z]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** The issuer that a path names: the character of its cell and the tenant. Undefined if there is none. */
export async function findIssuer(
  { db, config }: Pick<Context, 'db' | 'config'>,
  id: string,
): Promise<Issuer | undefined> {
  const tenant_id = issuerId.exec(id)?.[1]
  const row = tenant_id === undefined ? undefined : await readIssuer(db, tenant_id)
  if (row?.cell !== id[0] || row === undefined) return undefined
  const languages = listLanguages({ edited_only: row.edited_languages_only })
  return { ...row, url: issuerAddress(config, row), languages }
}

/** The issuer of a tenant. It never changes: the cell is the one that created the issuer. */
export function issuerAddress(
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  { tenant_id, cell }: { tenant_id: string; cell: string },
): string {
  return `${BASE_URL}/oidc/${cell}${tenant_id}`
}

/** Where clients read everything else about an issuer (OpenID Connect Discovery 1.0 §4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`
}

/** The discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414, RFC 9207). */
export function describeIssuer({ url: issuer, languages }: Issuer): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    // A client is registered with its templates; each is a scope of its own.
    scopes_supported: ['openid'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: idTokenAlgorithms,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['sub', 'sub_type', 'acr', 'auth_time', 'verification', 'verified', ...standardClaims],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: languages,
  }
}

export const signingKeyUse = tables.openid_keys.sealed.sealed

const generate = promisify(generateKeyPair)
/** What every client can verify (RFC 7518 §3.3 asks for at least this). */
const rsa_bits = 2048

/** A new key of each algorithm. Takes up to a second, so it comes before the transaction that stores them. */
export async function makeSigningKeys({ keyring }: { keyring: Keyring }): Promise<NewSigningKey[]> {
  return Promise.all(
    idTokenAlgorithms.map(async (algorithm) => {
      const { privateKey, publicKey } = await generateFor(algorithm)
      const id = randomBytes(9).toString('base64url')
      return {
        id,
        algorithm,
        public_jwk: { ...publicKey.export({ format: 'jwk' }), kid: id, alg: algorithm, use: 'sig' },
        sealed: keyring.seal(signingKeyUse, privateKey.export({ type: 'pkcs8', format: 'der' })),
      }
    }),
  )
}

function generateFor(algorithm: IdTokenAlgorithm): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  return algorithm === 'RS256'
    ? generate('rsa', { modulusLength: rsa_bits })
    : generate('ec', { namedCurve: 'P-256' })
}
