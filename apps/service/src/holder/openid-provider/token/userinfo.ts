import type { Context } from '../../../engine/context.ts'
import { findClient } from '../clients/authenticate-client.ts'
import type { Issuer } from '../issuer/issuer.ts'
import { OAuthError } from '../oauth-error.ts'
import { readSecret } from '../secrets.ts'
import { findAuthorization } from '../store.ts'
import { renderResult } from './render-result.ts'

/** The claims again, for as long as the access token is valid and the result exists. Throws an OAuthError. */
export async function getUserinfo(
  ctx: Context,
  issuer: Issuer,
  token: string | undefined,
): Promise<Record<string, unknown>> {
  if (token === undefined)
    throw new OAuthError('invalid_token', 'The access token is missing. Send it as Authorization: Bearer.')
  const id = readSecret(ctx.keyring, 'openid access token', token)
  const authorization =
    id === undefined ? undefined : await findAuthorization(ctx.db, { tenant_id: issuer.tenant_id, id })
  const client = authorization?.exchanged === true ? await findClient(ctx.db, authorization) : undefined
  if (authorization === undefined || client === undefined) throw invalidToken()
  const { verification_id } = authorization
  const claims = await renderResult(ctx, ctx.db, { issuer, client, verification_id })
  if (claims === undefined) throw invalidToken()
  return claims
}

function invalidToken(): OAuthError {
  return new OAuthError(
    'invalid_token',
    'The access token is unknown or has expired, or its verification was erased.',
  )
}
