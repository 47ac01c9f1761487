import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import {
  type VerifiedPasskey,
  checkRegistration,
  relyingParty,
  startRegistration,
} from '../../sign-in/ceremony.ts'
import { signInFailed } from '../../sign-in/challenge.ts'
import { spendChallenge } from '../../sign-in/store.ts'
import { insertPasskey, readPasskeys } from './store.ts'

export const maxPasskeys = 20

export type Registrant = { tenant_id: string; member_id: string; email: string; name: string }

/** WebAuthn options for a member's new passkey. */
export async function startMemberRegistration(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { tenant_id, member_id, email, name }: Registrant,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return startRegistration(ctx, {
    rp: relyingParty(ctx.config.BASE_URL),
    purpose: challengePurpose(member_id),
    // A passkey's response contains it, so that a router can find the cell of a person who is not signed in.
    owner: { handle: ctx.config.CELL + member_id, email, name },
    existing: await readPasskeys(ctx.db, { tenant_id, member_id }),
  })
}

/** Verifies a member's registration response. Pure computation: nothing is stored yet. */
export async function checkMemberRegistration(
  ctx: Pick<Context, 'config' | 'keyring'>,
  member_id: string,
  response: unknown,
): Promise<VerifiedPasskey> {
  const rp = relyingParty(ctx.config.BASE_URL)
  return checkRegistration(ctx, { rp, purpose: challengePurpose(member_id), response })
}

/** Stores a verified passkey, in the transaction that established its owner. */
export async function savePasskey(
  tx: Db,
  { challenge, ...key }: VerifiedPasskey,
  owner: { tenant_id: string; member_id: string; name: string },
): Promise<void> {
  const saved =
    (await spendChallenge(tx, challenge)) && (await insertPasskey(tx, { ...key, ...owner }, maxPasskeys))
  if (!saved) throw signInFailed()
}

function challengePurpose(member_id: string): string {
  return `register ${member_id}`
}
