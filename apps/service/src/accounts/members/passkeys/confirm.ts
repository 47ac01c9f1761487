import type { Confirmation, Me } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import type { Member } from '../../../engine/basics/index.ts'
import { checkAssertion, relyingParty, startAssertion } from '../../sign-in/ceremony.ts'
import { readAssertion, signInFailed } from '../../sign-in/challenge.ts'
import { limitAttempts } from '../../sign-in/limit-attempts.ts'
import { spendChallenge } from '../../sign-in/store.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { type MemberSession, getMe, lockActingMember } from '../me.ts'
import { markConfirmed } from '../sessions/store.ts'
import { findPasskey, readPasskeys, recordPasskeyUse } from './store.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'

/** WebAuthn options to confirm with one of the member's own passkeys. Empty if they have none: then the provider confirms. */
export async function startConfirmation(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { tenant_id, member_id }: Member,
): Promise<Confirmation> {
  const passkeys = await readPasskeys(ctx.db, { tenant_id, member_id })
  if (passkeys.length === 0) return {}
  const rp = relyingParty(ctx.config.BASE_URL)
  const options = await startAssertion(ctx, { rp, purpose: challengePurpose(member_id), passkeys })
  return { options: { ...options } }
}

/** Marks the session as confirmed: its member has just authenticated again. */
export async function confirmWithPasskey(
  ctx: Context,
  caller: MemberSession,
  { response, address }: { response: unknown; address: AddressKey },
): Promise<Me> {
  const { member, session } = caller
  const { tenant_id, member_id } = member
  await limitAttempts(ctx, { address, method: 'confirmation' }, async () => {
    const assertion = readAssertion(response)
    const passkey = await findPasskey(ctx.db, assertion.id)
    if (passkey?.tenant_id !== tenant_id || passkey.member_id !== member_id) throw signInFailed()
    const { challenge, counter, backed_up } = await checkAssertion(ctx, passkey, {
      rp: relyingParty(ctx.config.BASE_URL),
      purpose: challengePurpose(member_id),
      response: assertion,
    })
    await ctx.db.transaction(async (tx) => {
      await lockActingMember(tx, member)
      const { credential_id } = passkey
      const confirmed =
        (await spendChallenge(tx, challenge)) &&
        (await recordPasskeyUse(tx, { credential_id, counter, backed_up })) &&
        (await markConfirmed(tx, { tenant_id, member_id, token_hash: hashToken(session) }))
      if (!confirmed) throw signInFailed()
    })
  })
  return getMe(ctx, caller)
}

function challengePurpose(member_id: string): string {
  return `confirm ${member_id}`
}
