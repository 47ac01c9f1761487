import type { AcceptWithPasskey, PasskeyOptions, StartAcceptance } from '@vidimus/contract'
import { appendAudit } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { acceptInvitation } from '../accept.ts'
import { boundAttempts } from '../bound-attempts.ts'
import { openSession } from '../open-session.ts'
import { openInvitation } from '../read-invitation.ts'
import { hashToken } from '../token.ts'
import { checkRegistration, keepPasskey, startRegistration } from './register.ts'

export async function startPasskeyOfInvitation(
  ctx: Context,
  { token, name }: StartAcceptance,
): Promise<PasskeyOptions> {
  const { tenant_id, member_id, email } = await openInvitation(ctx, token)
  return { options: { ...(await startRegistration(ctx, { tenant_id, member_id, email, name })) } }
}

export type AcceptByPasskey = AcceptWithPasskey & { address: string; former: string | undefined }

/** Makes the invited one a member with this passkey and signs it in. Of two who accept one link, one does. */
export async function acceptWithPasskey(
  ctx: Context,
  { token, name, passkey_name, response, address, former }: AcceptByPasskey,
): Promise<string> {
  return boundAttempts(ctx, address, async () => {
    const invitation = await openInvitation(ctx, token)
    const key = await checkRegistration(ctx, invitation.member_id, response)
    return ctx.db.transaction(async (tx) => {
      const member = await acceptInvitation(tx, { invitation, token_hash: hashToken(token), name })
      await keepPasskey(tx, key, { ...owner(member), name: passkey_name ?? 'First passkey' })
      await appendAudit(tx, { action: 'member.passkey_added', by: member, subject: member.member_id })
      return openSession(tx, { member, way: 'link', confirmed: true, former })
    })
  })
}

function owner({ tenant_id, member_id }: { tenant_id: string; member_id: string }) {
  return { tenant_id, member_id }
}
