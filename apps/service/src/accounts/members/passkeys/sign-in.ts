import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Context } from '../../../engine/context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { checkAssertion, relyingParty, startAssertion } from '../../sign-in/ceremony.ts'
import { readAssertion, signInFailed } from '../../sign-in/challenge.ts'
import { limitAttempts } from '../../sign-in/limit-attempts.ts'
import { spendChallenge } from '../../sign-in/store.ts'
import { recordFailedSignIn } from '../sessions/record-failed-sign-in.ts'
import { memberFromRow, openSession, type SignInClient } from '../sessions/open-session.ts'
import { findMember, lockMemberForUpdate } from '../store.ts'
import { findPasskey, recordPasskeyUse, type PasskeyRow } from './store.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'

const purpose = 'sign in'

/** The same for everyone: no name or address is sent before the passkey, so members cannot be enumerated. */
export async function startPasskeySignIn(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return startAssertion(ctx, { rp: relyingParty(ctx.config.BASE_URL), purpose })
}

export type PasskeySignIn = SignInClient & { response: unknown; address: AddressKey }

/** Signs in the owner of the passkey. Returns the token for the cookie. */
export async function finishPasskeySignIn(
  ctx: Context,
  { response, address, ...client }: PasskeySignIn,
): Promise<string> {
  return limitAttempts(ctx, { address, method: 'passkey' }, async () => {
    const assertion = readAssertion(response)
    const passkey = await findPasskey(ctx.db, assertion.id)
    if (passkey === undefined) throw signInFailed()
    return finishWithPasskey(ctx, passkey, { assertion, client }).catch(async (error: unknown) => {
      if (error instanceof Refusal) await recordFailedSignIn(ctx, passkey)
      throw error
    })
  })
}

type KnownPasskey = { assertion: ReturnType<typeof readAssertion>; client: SignInClient }

async function finishWithPasskey(
  ctx: Context,
  passkey: PasskeyRow,
  { assertion, client }: KnownPasskey,
): Promise<string> {
  const { challenge, counter, backed_up } = await checkAssertion(ctx, passkey, {
    rp: relyingParty(ctx.config.BASE_URL),
    purpose,
    response: assertion,
  })
  return ctx.db.transaction(async (tx) => {
    const { credential_id, tenant_id, member_id } = passkey
    // Locked first, as in a removal: a concurrent removal waits for this, or this finds no member.
    const accepted =
      (await lockMemberForUpdate(tx, { tenant_id, id: member_id })) &&
      (await spendChallenge(tx, challenge)) &&
      (await recordPasskeyUse(tx, { credential_id, counter, backed_up }))
    const row = accepted ? await findMember(tx, { tenant_id, id: member_id }) : undefined
    if (row === undefined) throw signInFailed()
    return openSession(ctx, tx, {
      member: memberFromRow(row),
      method: 'passkey',
      confirmed: true,
      ...client,
    })
  })
}
