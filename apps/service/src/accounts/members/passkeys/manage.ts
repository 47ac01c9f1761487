import type { Me, PasskeyOptions } from '@vidimus/contract'
import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { Refusal, notFound } from '../../../engine/basics/index.ts'
import { type MemberSession, getMe, lockActingMember } from '../me.ts'
import { findMember, lockTeam } from '../store.ts'
import { checkMemberRegistration, savePasskey, startMemberRegistration } from './register.ts'
import { deletePasskey, readPasskeys } from './store.ts'

/** WebAuthn options for another passkey of the signed-in member. */
export async function startPasskey(ctx: Context, caller: MemberSession): Promise<PasskeyOptions> {
  const { tenant_id, member_id, name } = caller.member
  const row = await findMember(ctx.db, { tenant_id, id: member_id })
  if (row === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
  return {
    options: { ...(await startMemberRegistration(ctx, { tenant_id, member_id, email: row.email, name })) },
  }
}

export async function addPasskey(
  ctx: Context,
  caller: MemberSession,
  { name, response }: { name: string; response: unknown },
): Promise<Me> {
  const { member } = caller
  const { tenant_id, member_id } = member
  const key = await checkMemberRegistration(ctx, member_id, response)
  await ctx.db.transaction(async (tx) => {
    await lockActingMember(tx, member)
    await savePasskey(tx, key, { tenant_id, member_id, name })
    await appendAudit(tx, { action: 'member.passkey_added', by: member, subject: member_id })
  })
  return getMe(ctx, caller)
}

/** A member cannot remove their last sign-in method. */
export async function removePasskey(ctx: Context, caller: MemberSession, credential_id: string): Promise<Me> {
  const { member } = caller
  const { tenant_id, member_id } = member
  await ctx.db.transaction(async (tx) => {
    await lockTeam(tx, tenant_id)
    if (!(await deletePasskey(tx, { tenant_id, member_id, credential_id })))
      throw notFound('passkey_not_found')
    const row = await findMember(tx, { tenant_id, id: member_id })
    const left = await readPasskeys(tx, { tenant_id, member_id })
    if (left.length === 0 && row?.oidc_linked !== true)
      throw new Refusal('last_sign_in_method', 'This is your only sign-in method. Add another passkey first.')
    await appendAudit(tx, { action: 'member.passkey_removed', by: member, subject: member_id })
    await ctx.ledger.record(tx, [{ kind: 'passkey', id: credential_id }])
  })
  return getMe(ctx, caller)
}
