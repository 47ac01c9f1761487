import { authorizationCodeGrant } from 'openid-client'
import { appendAudit } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { acceptInvitation } from '../invitations/accept.ts'
import { limitAttempts } from '../sessions/limit-attempts.ts'
import { memberFromRow, openSession } from '../sessions/open.ts'
import { signInFailed } from '../passkeys/relying-party.ts'
import { requireInvitation } from '../invitations/read.ts'
import { findMemberByIdentity, linkIdentity } from '../store.ts'
import { hashToken } from '../sessions/token.ts'
import { flowLifetime_seconds, unsealFlow, type OidcFlow } from './flow.ts'

export type FinishOidc = {
  /** The callback as it was called: path and query. */
  url: string
  flow: string | undefined
  address: string
  previousSession: string | undefined
}

/** Signs in whom the provider named, or makes the invited one a member by that name. Refuses alike whatever was wrong. */
export async function finishOidc(
  ctx: Context,
  { url, flow: sealed, address, previousSession }: FinishOidc,
): Promise<{ session: string; return_to: string }> {
  return limitAttempts(ctx, address, async () => {
    const flow = await unsealFlow(ctx, sealed)
    if (flow === undefined) throw signInFailed()
    const identity = await exchangeCode(ctx, flow, url)
    const session =
      flow.invitation === undefined
        ? await signIn(ctx, { identity, confirmed: flow.fresh === true, previousSession })
        : await accept(ctx, { identity, invitation: flow.invitation, previousSession })
    return { session, return_to: flow.return_to }
  })
}

type OidcIdentity = { issuer: string; subject: string }

/** The library checks state, nonce, PKCE, issuer, audience, times and signature (OpenID Connect Core 1.0 §3.1.3.7). */
async function exchangeCode(
  { oidc, config, log }: Context,
  flow: OidcFlow,
  url: string,
): Promise<OidcIdentity> {
  if (oidc === undefined) throw signInFailed()
  try {
    const tokens = await authorizationCodeGrant(
      await oidc.configuration(),
      new URL(`${config.BASE_URL}${url}`),
      {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
        // The provider has to say when the person was there (OpenID Connect Core 1.0 §3.1.2.1).
        ...(flow.fresh === true && { maxAge: flowLifetime_seconds }),
      },
    )
    const claims = tokens.claims()
    if (claims !== undefined && claims.sub.length <= 255) return { issuer: claims.iss, subject: claims.sub }
  } catch (error) {
    // A person who said no, a provider that is away, a token that is not as it should be: the log says which.
    log.warn({ err: error }, 'a sign-in by the identity provider failed')
  }
  throw signInFailed()
}

type OidcSignIn = { identity: OidcIdentity; confirmed: boolean; previousSession: string | undefined }

async function signIn(ctx: Context, { identity, confirmed, previousSession }: OidcSignIn): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const row = await findMemberByIdentity(tx, identity)
    if (row === undefined) throw signInFailed()
    return openSession(tx, { member: memberFromRow(row), way: 'oidc', confirmed, previousSession })
  })
}

type OidcAcceptance = {
  identity: OidcIdentity
  invitation: { token: string; name: string }
  previousSession: string | undefined
}

async function accept(
  ctx: Context,
  { identity, invitation: { token, name }, previousSession }: OidcAcceptance,
): Promise<string> {
  const invitation = await requireInvitation(ctx, token)
  return ctx.db.transaction(async (tx) => {
    const member = await acceptInvitation(tx, { invitation, token_hash: hashToken(token), name })
    const { tenant_id, member_id: id } = member
    if (!(await linkIdentity(tx, { tenant_id, id, ...identity })))
      throw new Refusal('sign_in_failed', 'This account of the provider is the way in of another member.')
    await appendAudit(tx, { action: 'member.identity_linked', by: member, subject: id })
    return openSession(tx, { member, way: 'link', confirmed: false, previousSession })
  })
}
