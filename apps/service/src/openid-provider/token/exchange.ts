import { hash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { appendAudit } from '../../audit/append.ts'
import { authenticateClient } from '../clients/authenticate.ts'
import type { ClientRow } from '../clients/store.ts'
import { toPrincipal } from '../client-principal.ts'
import type { Issuer } from '../issuer/find-issuer.ts'
import { codeLifetime_seconds, tokenLifetime_seconds } from '../lifetimes.ts'
import { OAuthError } from '../oauth-error.ts'
import { makeSecret, readSecret } from '../secrets.ts'
import { endExchanged, findAuthorization, markExchanged, type AuthorizationRow } from '../store.ts'
import { readClientCredentials, type TokenForm } from './read-credentials.ts'
import { renderResult } from './render-result.ts'
import { signIdToken } from './sign-id-token.ts'

export type TokenResponse = {
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
  const client = await authenticateClient(ctx, {
    tenant_id: issuer.tenant_id,
    ...readClientCredentials(form, header),
  })
  if (client === undefined)
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.')
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

/** The authorization of a code, if the client got that code and has its verifier. Nothing is spent yet: who has only the code cannot spoil it. */
async function findGrant(
  { db, keyring }: Context,
  client: ClientRow,
  { code, redirect_uri, code_verifier }: TokenForm,
): Promise<AuthorizationRow> {
  if (code === undefined || redirect_uri === undefined || code_verifier === undefined)
    throw new OAuthError('invalid_request', 'code, redirect_uri and code_verifier are required.')
  const id = readSecret(keyring, 'openid code', code)
  const found =
    id === undefined ? undefined : await findAuthorization(db, { tenant_id: client.tenant_id, id })
  if (
    found?.client_id !== client.id ||
    found.redirect_uri !== redirect_uri ||
    !isVerifier(code_verifier, found)
  )
    throw invalidGrant()
  // Used before: whoever has the tokens may not be who should (RFC 6749 §4.1.2).
  if (found.exchanged) {
    await endExchanged(db, found.id)
    throw invalidGrant()
  }
  return found
}

/** RFC 7636 §4.6. */
function isVerifier(verifier: string, { code_challenge }: AuthorizationRow): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(code_challenge))
}

/** Spends the code and reads the claims, in one transaction: an erasure comes before, and the code is worth nothing, or after. */
async function takeResult(
  ctx: Context,
  { issuer, client, authorization }: { issuer: Issuer; client: ClientRow; authorization: AuthorizationRow },
): Promise<Record<string, unknown>> {
  const { id, session_id } = authorization
  return ctx.db.transaction(async (tx) => {
    const claims = await renderResult(ctx, tx, { issuer, client, session_id })
    const times = { code_seconds: codeLifetime_seconds, token_seconds: tokenLifetime_seconds }
    if (claims === undefined || !(await markExchanged(tx, { id, ...times }))) throw invalidGrant()
    await appendAudit(tx, { action: 'verification.redeemed', by: toPrincipal(client), subject: session_id })
    return claims
  })
}

/** One error for every wrong code: who guesses learns nothing. */
function invalidGrant(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is wrong, expired or used, or belongs to another client, address or verifier.',
  )
}
