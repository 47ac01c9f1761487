import { appendAudit } from '../../../audit/index.ts'
import type { AccountsContext } from '../../context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { acceptInvitation, requireInvitation } from '../invitations/accept-invitation.ts'
import { signInFailed } from '../../sign-in/challenge.ts'
import { limitAttempts } from '../../sign-in/limit-attempts.ts'
import {
  type Flow,
  type ProviderIdentity,
  exchangeCode,
  spendFlow,
  unsealFlow,
} from '../../sign-in/provider/flow.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { type SignInClient, memberFromRow, openSession } from '../sessions/open-session.ts'
import { findMemberByIdentity, linkIdentity } from '../store.ts'
import { memberFlow } from './start.ts'
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
    const flow = await unsealFlow(ctx, memberFlow(ctx), sealed)
    if (flow === undefined) throw signInFailed()
    const callback = new URL(`${ctx.config.BASE_URL}${url}`)
    const identity = await exchangeCode(ctx, { provider: ctx.oidc, flow, url: callback })
    if (identity === undefined) throw signInFailed()
    const { invitation, return_to } = flow.carried
    const session =
      invitation === undefined
        ? await signIn(ctx, { flow, identity, confirmed: flow.fresh, ...client })
        : await accept(ctx, { flow, identity, invitation, ...client })
    return { session, return_to }
  })
}

type OidcSignIn = SignInClient & { flow: Flow<unknown>; identity: ProviderIdentity; confirmed: boolean }

async function signIn(
  ctx: AccountsContext,
  { flow, identity, confirmed, ...client }: OidcSignIn,
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    if (!(await spendFlow(tx, flow))) throw signInFailed()
    const row = await findMemberByIdentity(tx, identity)
    if (row === undefined) throw new UnknownIdentity()
    return openSession(ctx, tx, { member: memberFromRow(row), method: 'oidc', confirmed, ...client })
  })
}

type OidcAcceptance = SignInClient & {
  flow: Flow<unknown>
  identity: ProviderIdentity
  invitation: { token: string; name: string }
}

async function accept(
  ctx: AccountsContext,
  { flow, identity, invitation: { token, name }, ...client }: OidcAcceptance,
): Promise<string> {
  const invitation = await requireInvitation(ctx, token)
  return ctx.db.transaction(async (tx) => {
    if (!(await spendFlow(tx, flow))) throw signInFailed()
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
