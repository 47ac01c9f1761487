import type { AcceptWithPasskey, PasskeyOptions, StartAcceptance } from '@vidimus/contract'
import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { acceptInvitation, requireInvitation } from '../invitations/accept-invitation.ts'
import { limitAttempts } from '../../sign-in/limit-attempts.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { type SignInClient, openSession } from '../sessions/open-session.ts'
import { checkMemberRegistration, savePasskey, startMemberRegistration } from './register.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'

export async function startPasskeyOfInvitation(
  ctx: Context,
  { token, name }: StartAcceptance,
): Promise<PasskeyOptions> {
  const { tenant_id, member_id, email } = await requireInvitation(ctx, token)
  return { options: { ...(await startMemberRegistration(ctx, { tenant_id, member_id, email, name })) } }
}

export type PasskeyAcceptance = AcceptWithPasskey & SignInClient & { address: AddressKey }

/** Redeems an invitation with a new passkey and signs the member in. Of two concurrent attempts with one link, one succeeds. */
export async function acceptWithPasskey(
  ctx: Context,
  { token, name, passkey_name, response, address, ...client }: PasskeyAcceptance,
): Promise<string> {
  return limitAttempts(ctx, { address, method: 'link' }, async () => {
    const invitation = await requireInvitation(ctx, token)
    const key = await checkMemberRegistration(ctx, invitation.member_id, response)
    return ctx.db.transaction(async (tx) => {
      const { member, ended } = await acceptInvitation(ctx, tx, {
        invitation,
        token_hash: hashToken(token),
        name,
      })
      await savePasskey(tx, key, { ...owner(member), name: passkey_name ?? 'First passkey' })
      await appendAudit(tx, {
        action: 'member.passkey_added',
        by: member,
        subject: member.member_id,
        detail: { with_link: true },
      })
      return openSession(ctx, tx, { member, method: 'link', confirmed: true, ...client, ended })
    })
  })
}

function owner({ tenant_id, member_id }: { tenant_id: string; member_id: string }) {
  return { tenant_id, member_id }
}
