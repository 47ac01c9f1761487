import { authorizationCodeGrant } from 'openid-client'
import { appendAudit } from '../../../audit/index.ts'
import type { AccountsContext } from '../../context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { acceptInvitation, requireInvitation } from '../invitations/accept-invitation.ts'
import { signInFailed } from '../../sign-in/challenge.ts'
import { limitAttempts } from '../../sign-in/limit-attempts.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { type SignInClient, memberFromRow, openSession } from '../sessions/open-session.ts'
import { findMemberByIdentity, linkIdentity } from '../store.ts'
import { flowLifetime_seconds, unsealFlow, type OidcFlow } from './start.ts'
import { findMissingStrength } from './open-provider.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'

/** The provider knows the person, but no member of this cell has the identity. One of another cell may. */
export class UnknownIdentity extends Refusal {
  override name = 'UnknownIdentity'

  constructor() {
    const { code, message } = signInFailed()
    super(code, message)
  }
}

export type FinishOidc = {
  /** Path and query of the callback request. */
  url: string
  flow: string | undefined
  address: AddressKey
} & SignInClient

/** Signs in the member with the provider's identity, or redeems an invitation with it. Every failure gets the same refusal. */
export async function finishOidc(
  ctx: AccountsContext,
  { url, flow: sealed, address, ...client }: FinishOidc,
): Promise<{ session: string; return_to: string }> {
  return limitAttempts(ctx, { address, method: 'oidc' }, async () => {
    const flow = await unsealFlow(ctx, sealed)
    if (flow === undefined) throw signInFailed()
    const identity = await exchangeCode(ctx, flow, url)
    const session =
      flow.invitation === undefined
        ? await signIn(ctx, { identity, confirmed: flow.fresh === true, ...client })
        : await accept(ctx, { identity, invitation: flow.invitation, ...client })
    return { session, return_to: flow.return_to }
  })
}

type OidcIdentity = { issuer: string; subject: string }

/** The library checks state, nonce, PKCE, issuer, audience, times and signature (OpenID Connect Core 1.0 §3.1.3.7). */
async function exchangeCode(
  { oidc, config, log }: AccountsContext,
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
        // Requires `auth_time` (OpenID Connect Core 1.0 §3.1.2.1).
        ...(flow.fresh === true && { maxAge: flowLifetime_seconds }),
      },
    )
    const claims = tokens.claims()
    const missing =
      flow.fresh === true && claims !== undefined ? findMissingStrength(config, claims) : undefined
    if (missing !== undefined)
      log.warn({ claim: missing }, 'the identity provider did not authenticate as OIDC_STEP_UP_… requires')
    else if (claims !== undefined && claims.sub.length <= 255)
      return { issuer: claims.iss, subject: claims.sub }
  } catch (error) {
    // The person declined, the provider is unavailable or the token is invalid; the log says which.
    log.warn({ err: error }, 'sign-in with the identity provider failed')
  }
  throw signInFailed()
}

type OidcSignIn = SignInClient & { identity: OidcIdentity; confirmed: boolean }

async function signIn(ctx: AccountsContext, { identity, confirmed, ...client }: OidcSignIn): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const row = await findMemberByIdentity(tx, identity)
    if (row === undefined) throw new UnknownIdentity()
    return openSession(ctx, tx, { member: memberFromRow(row), method: 'oidc', confirmed, ...client })
  })
}

type OidcAcceptance = SignInClient & {
  identity: OidcIdentity
  invitation: { token: string; name: string }
}

async function accept(
  ctx: AccountsContext,
  { identity, invitation: { token, name }, ...client }: OidcAcceptance,
): Promise<string> {
  const invitation = await requireInvitation(ctx, token)
  return ctx.db.transaction(async (tx) => {
    const { member, ended } = await acceptInvitation(ctx, tx, {
      invitation,
      token_hash: hashToken(token),
      name,
    })
    const { tenant_id, member_id: id } = member
    if (!(await linkIdentity(tx, { tenant_id, id, ...identity })))
      throw new Refusal('sign_in_failed', 'This provider account already belongs to another member.')
    await appendAudit(tx, { action: 'member.identity_linked', by: member, subject: id })
    return openSession(ctx, tx, { member, method: 'link', confirmed: false, ...client, ended })
  })
}
