import { createPrivateKey, hash, timingSafeEqual } from 'node:crypto'
import type { IdTokenAlgorithm } from '@vidimus/contract'
import { SignJWT } from 'jose'
import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { toPrincipal } from '../client-principal.ts'
import { authenticateClient } from '../clients/authenticate-client.ts'
import { forgetProblem, recordProblem } from '../clients/record-problem.ts'
import type { ClientRow } from '../clients/store.ts'
import { type Issuer, signingKeyUse } from '../issuer/issuer.ts'
import { readSigningKey } from '../issuer/store.ts'
import { OAuthError } from '../oauth-error.ts'
import { codeLifetime_seconds, makeSecret, readSecret, tokenLifetime_seconds } from '../secrets.ts'
import { type AuthorizationRow, endExchanged, findAuthorization, markExchanged } from '../store.ts'
import { toSeconds } from './render-claims.ts'
import { renderResult } from './render-result.ts'

type TokenResponse = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  id_token: string
}

/**
 * Exchanges a code for an ID token and an access token, once. The claims are read from the result now, and nothing of them is stored.
 * Throws an OAuthError.
 */
export async function exchangeCode(
  ctx: Context,
  issuer: Issuer,
  { form, authorization: header }: { form: TokenForm; authorization: string | undefined },
): Promise<TokenResponse> {
  const credentials = readClientCredentials(form, header)
  try {
    return await exchange(ctx, issuer, { form, credentials })
  } catch (error) {
    if (error instanceof OAuthError)
      await recordProblem(ctx, { tenant_id: issuer.tenant_id, id: credentials.client_id }, error)
    throw error
  }
}

async function exchange(
  ctx: Context,
  issuer: Issuer,
  { form, credentials }: { form: TokenForm; credentials: ClientCredentials },
): Promise<TokenResponse> {
  const client = await authenticateClient(ctx, { tenant_id: issuer.tenant_id, ...credentials })
  if (client === undefined) throw unknownClient(credentials.secret)
  if (form.grant_type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.')
  if (form.grant_type !== 'authorization_code')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code.')

  const authorization = await findGrant(ctx, client, form)
  const claims = await takeResult(ctx, { issuer, client, authorization })
  const { nonce } = authorization
  return {
    access_token: makeSecret(ctx.keyring, 'openid access token', authorization.id),
    token_type: 'Bearer',
    expires_in: tokenLifetime_seconds,
    scope: `openid ${String(claims['acr'])}`,
    id_token: await signIdToken(ctx, {
      tenant_id: issuer.tenant_id,
      issuer: issuer.url,
      client_id: client.id,
      algorithm: client.id_token_algorithm,
      claims: { ...claims, ...(nonce !== null && { nonce }) },
    }),
  }
}

/** The authorization of a code, if the client got that code and has its verifier, if there is one. Nothing is spent yet, so somebody who has only the code cannot use it up. */
async function findGrant(
  { db, keyring }: Context,
  client: ClientRow,
  { code, redirect_uri, code_verifier }: TokenForm,
): Promise<AuthorizationRow> {
  if (code === undefined || redirect_uri === undefined)
    throw new OAuthError('invalid_request', `${code === undefined ? 'code' : 'redirect_uri'} is missing.`)
  const id = readSecret(keyring, 'openid code', code)
  const found =
    id === undefined ? undefined : await findAuthorization(db, { tenant_id: client.tenant_id, id })
  if (found?.client_id !== client.id) throw unusableCode()
  if (found.redirect_uri !== redirect_uri)
    throw new OAuthError(
      'invalid_grant',
      'redirect_uri must be the one of the authorization request, character by character.',
    )
  checkVerifier(code_verifier, found, client)
  // Used before: the tokens may have been given to somebody else (RFC 6749 §4.1.2).
  if (found.exchanged) {
    await endExchanged(db, found.id)
    throw new OAuthError(
      'invalid_grant',
      'The code was used before. The tokens of its first use have ended; the site must use a code only once.',
    )
  }
  return found
}

/**
 * Throws unless the verifier belongs to the challenge, or there is neither (RFC 7636 §4.6). A verifier without a challenge says that
 * somebody took the challenge out of the site's request (RFC 9700 §2.1.1).
 */
function checkVerifier(
  verifier: string | undefined,
  { code_challenge }: AuthorizationRow,
  { pkce_required }: ClientRow,
): void {
  if (code_challenge === null && verifier === undefined && !pkce_required) return
  if (verifier === undefined)
    throw new OAuthError(
      'invalid_request',
      'code_verifier is missing. The site must use PKCE and send the verifier with the code.',
    )
  if (code_challenge === null || !isVerifier(verifier, code_challenge))
    throw new OAuthError(
      'invalid_grant',
      'code_verifier does not belong to the code_challenge of the authorization request.',
    )
}

function isVerifier(verifier: string, code_challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(code_challenge))
}

/** Spends the code and reads the claims in one transaction, so that a concurrent erasure waits, or has already made the code useless. */
async function takeResult(
  ctx: Context,
  { issuer, client, authorization }: { issuer: Issuer; client: ClientRow; authorization: AuthorizationRow },
): Promise<Record<string, unknown>> {
  const { id, verification_id } = authorization
  return ctx.db.transaction(async (tx) => {
    const claims = await renderResult(ctx, tx, { issuer, client, verification_id })
    const times = { code_seconds: codeLifetime_seconds, token_seconds: tokenLifetime_seconds }
    if (claims === undefined || !(await markExchanged(tx, { id, ...times }))) throw unusableCode()
    await forgetProblem(tx, client)
    await appendAudit(tx, {
      action: 'verification.redeemed',
      by: toPrincipal(client),
      subject: verification_id,
    })
    return claims
  })
}

/** The same for a code that was never issued and for one of another client, so that neither can be told from the other. */
function unusableCode(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    `The code is wrong, belongs to another client, or is older than ${codeLifetime_seconds} seconds, or its verification was erased.`,
  )
}

type TokenForm = Readonly<
  Partial<
    Record<'grant_type' | 'code' | 'redirect_uri' | 'code_verifier' | 'client_id' | 'client_secret', string>
  >
>

type ClientCredentials = { client_id: string; secret: string | undefined }

/** The client's id and secret, from the header or from the form but not from both (RFC 6749 §2.3). */
function readClientCredentials(form: TokenForm, header: string | undefined): ClientCredentials {
  const basic = header === undefined ? undefined : readBasic(header)
  if (basic !== undefined && form.client_secret !== undefined)
    throw new OAuthError(
      'invalid_request',
      'The secret is sent twice. Choose client_secret_basic or client_secret_post at the site.',
    )
  const { client_id, secret } = basic ?? { client_id: form.client_id ?? '', secret: form.client_secret }
  if (form.client_id !== undefined && form.client_id !== client_id)
    throw new OAuthError('invalid_request', 'client_id differs from the Authorization header.')
  if (client_id === '' && header === undefined)
    throw new OAuthError(
      'invalid_client',
      'client_id is missing. Send it in the form, or with the secret in the header.',
    )
  if (!/^[\w-]{1,64}$/.test(client_id)) throw unknownClient(secret)
  return { client_id, secret }
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(header: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  const [, client_id = '', secret = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  try {
    return { client_id: decodeForm(client_id), secret: decodeForm(secret) }
  } catch (error) {
    // A percent sign without two digits.
    if (error instanceof URIError) throw unknownClient(secret)
    throw error
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** Whether there is such a client is not said. */
function unknownClient(secret: string | undefined): OAuthError {
  return new OAuthError(
    'invalid_client',
    secret === undefined
      ? 'The client is unknown, or it has a secret that was not sent. Enter the secret at the site.'
      : 'The client is unknown, its secret is wrong or has ended, or it was created without one. Copy the client ID again; if the secret is lost, roll it on the dashboard.',
  )
}

type IdToken = {
  tenant_id: string
  issuer: string
  client_id: string
  algorithm: IdTokenAlgorithm
  claims: Record<string, unknown>
}

/** Signs an ID token with the newest key of the tenant. The time is the database's. */
async function signIdToken(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { tenant_id, issuer, client_id, algorithm, claims }: IdToken,
): Promise<string> {
  const key = await readSigningKey(db, { tenant_id, algorithm })
  if (key === undefined) throw new Error(`The issuer has no key for ${algorithm}.`)
  const der = await keyring.unseal(signingKeyUse, key.sealed)
  const now = toSeconds(key.now)
  return new SignJWT({ ...claims, iss: issuer, aud: client_id, iat: now, exp: now + tokenLifetime_seconds })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'JWT' })
    .sign(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}
