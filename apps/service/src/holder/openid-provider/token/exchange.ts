import { hash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../engine/context.ts'
import { appendAudit } from '../../../audit/index.ts'
import { authenticateClient } from '../clients/authenticate.ts'
import { forgetProblem, recordProblem } from '../clients/record-problem.ts'
import type { ClientRow } from '../clients/store.ts'
import { toPrincipal } from '../client-principal.ts'
import type { Issuer } from '../issuer/find-issuer.ts'
import { codeLifetime_seconds, tokenLifetime_seconds } from '../lifetimes.ts'
import { OAuthError } from '../oauth-error.ts'
import { makeSecret, readSecret } from '../secrets.ts'
import { endExchanged, findAuthorization, markExchanged, type AuthorizationRow } from '../store.ts'
import {
  readClientCredentials,
  unknownClient,
  type ClientCredentials,
  type TokenForm,
} from './read-credentials.ts'
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

/** The authorization of a code, if the client got that code and has its verifier. Nothing is spent yet: who has only the code cannot spoil it. */
async function findGrant(
  { db, keyring }: Context,
  client: ClientRow,
  { code, redirect_uri, code_verifier }: TokenForm,
): Promise<AuthorizationRow> {
  if (code_verifier === undefined)
    throw new OAuthError(
      'invalid_request',
      'code_verifier is missing. The site must use PKCE and send the verifier with the code.',
    )
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
  if (!isVerifier(code_verifier, found))
    throw new OAuthError(
      'invalid_grant',
      'code_verifier does not belong to the code_challenge of the authorization request.',
    )
  // Used before: whoever has the tokens may not be who should (RFC 6749 §4.1.2).
  if (found.exchanged) {
    await endExchanged(db, found.id)
    throw new OAuthError(
      'invalid_grant',
      'The code was used before. The tokens of its first use have ended; the site must use a code only once.',
    )
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
    if (claims === undefined || !(await markExchanged(tx, { id, ...times }))) throw unusableCode()
    await forgetProblem(tx, client)
    await appendAudit(tx, { action: 'verification.redeemed', by: toPrincipal(client), subject: session_id })
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
