import type { OperatorInvitation, PasskeyOptions } from '@vidimus/contract'
import { byOperator, recordsAs } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { LedgerEntry } from '../../engine/ledger/index.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import { checkAssertion, checkRegistration, relyingParty, startAssertion } from '../sign-in/ceremony.ts'
import { readAssertion, signInFailed } from '../sign-in/challenge.ts'
import { limitAttempts } from '../sign-in/limit-attempts.ts'
import { spendChallenge, takeAttempt } from '../sign-in/store.ts'
import { hashToken, newToken } from '../sign-in/tokens.ts'
import { toInvitationEntry, toSessionEntry } from './ended-operators.ts'
import { registrationPurpose, savePasskey, startOperatorRegistration } from './passkeys.ts'
import { type PasskeyRow, findPasskey, recordPasskeyUse } from './passkey-store.ts'
import { type NewSession, deleteSession, deleteSessions, insertSession } from './session-store.ts'
import { type OperatorRow, findInvitation, findOperator, lockOperator, spendInvitation } from './store.ts'

/** The browsers in which one operator can be signed in. */
export const maxOperatorSessions = 10
/** Entries about one operator: a burst, then a rate, as for members. */
export const maxFailuresInLog = { burst: 10, per_hour: 10 }

/** Not that of members: a response to one is worth nothing for the other. */
const purpose = 'operator sign in'

/** The same for everyone: no name or address is sent before the passkey, so operators cannot be enumerated. */
export async function startSignIn(ctx: Context): Promise<PasskeyOptions> {
  const rp = relyingParty(ctx.config.OPERATOR_URL)
  return { options: { ...(await startAssertion(ctx, { rp, purpose })) } }
}

export type SignIn = {
  response: unknown
  address: AddressKey
  /** The token of the session that the browser had so far. It ends, against session fixation. */
  previousSession: string | undefined
}

/** Signs in the owner of the passkey. Returns the token for the cookie. */
export async function finishSignIn(
  ctx: Context,
  { response, address, previousSession }: SignIn,
): Promise<string> {
  return limitAttempts(ctx, { address, method: 'passkey' }, async () => {
    const assertion = readAssertion(response)
    const passkey = await findPasskey(ctx.db, assertion.id)
    if (passkey === undefined) throw signInFailed()
    return finishWithPasskey(ctx, passkey, { assertion, previousSession }).catch(async (error: unknown) => {
      if (error instanceof Refusal) await recordFailure(ctx, passkey.operator_id)
      throw error
    })
  })
}

async function finishWithPasskey(
  ctx: Context,
  passkey: PasskeyRow,
  {
    assertion,
    previousSession,
  }: { assertion: ReturnType<typeof readAssertion>; previousSession: string | undefined },
): Promise<string> {
  const rp = relyingParty(ctx.config.OPERATOR_URL)
  const { challenge, counter, backed_up } = await checkAssertion(ctx, passkey, {
    rp,
    purpose,
    response: assertion,
  })
  return ctx.db.transaction(async (tx) => {
    const { credential_id, operator_id } = passkey
    // Locked first, as in a removal: a concurrent removal waits for this, or this finds nobody.
    const accepted =
      (await lockOperator(tx, operator_id)) &&
      (await spendChallenge(tx, challenge)) &&
      (await recordPasskeyUse(tx, { credential_id, counter, backed_up }))
    const row = accepted ? await findOperator(tx, operator_id) : undefined
    if (row === undefined) throw signInFailed()
    const method = 'passkey'
    return openSession(ctx, tx, {
      row,
      method,
      confirmed: true,
      previous: hashOf(previousSession),
      ended: [],
    })
  })
}

/** Records that a sign-in as a known operator failed. The log of the process has every failure. */
async function recordFailure({ db }: Pick<Context, 'db'>, operator_id: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await takeAttempt(tx, { address: `operator:${operator_id}`, ...maxFailuresInLog }))) return
    await recordsAs('installation.operator_sign_in_failed', { name: 'service' })(tx, { operator_id })
  })
}

/** What an invitation is for, if it is still valid. Unknown, used, replaced and expired ones get the same refusal. */
export async function readInvitation(
  { db }: Pick<Context, 'db'>,
  token: string,
): Promise<OperatorInvitation> {
  const { name, email, role, invited_until } = await requireInvitation(db, token)
  return { name, email, role, expires_at: invited_until ?? '' }
}

export async function startInvitation(ctx: Context, token: string): Promise<PasskeyOptions> {
  return { options: { ...(await startOperatorRegistration(ctx, await requireInvitation(ctx.db, token))) } }
}

export type AcceptInvitation = SignIn & { token: string; passkey_name?: string | undefined }

/** Redeems an invitation with a new passkey and signs the operator in. Of two concurrent attempts with one link, one succeeds. */
export async function acceptInvitation(
  ctx: Context,
  { token, passkey_name = 'First passkey', response, address, previousSession }: AcceptInvitation,
): Promise<string> {
  return limitAttempts(ctx, { address, method: 'link' }, async () => {
    const invited = await requireInvitation(ctx.db, token)
    const rp = relyingParty(ctx.config.OPERATOR_URL)
    const key = await checkRegistration(ctx, { rp, purpose: registrationPurpose(invited.id), response })
    return ctx.db.transaction(async (tx) => {
      const method = 'passkey'
      const { row, ended } = await redeemInvitation(tx, { id: invited.id, token, method })
      await savePasskey(tx, key, { operator_id: row.id, name: passkey_name })
      return openSession(ctx, tx, { row, method, confirmed: true, previous: hashOf(previousSession), ended })
    })
  })
}

/** Redeems an invitation, in the transaction that stores with what its operator signs in from now on. Returns what ended with it. */
export async function redeemInvitation(
  tx: Db,
  { id, token, method }: { id: string; token: string; method: NewSession['method'] },
): Promise<{ row: OperatorRow; ended: LedgerEntry[] }> {
  if (!(await lockOperator(tx, id)) || !(await spendInvitation(tx, hashToken(token))))
    throw invalidInvitation()
  const row = await findOperator(tx, id)
  if (row === undefined) throw invalidInvitation()
  // Who comes back has lost a device, so their other sessions end.
  const sessions = await deleteSessions(tx, id)
  const by = byOperator({ kind: 'operator', operator_id: id, name: row.name, role: row.role })
  await recordsAs('installation.operator_joined', by)(tx, { role: row.role, method })
  return { row, ended: [toInvitationEntry(hashToken(token)), ...sessions.map(toSessionEntry)] }
}

export async function requireInvitation(db: Db, token: string): Promise<OperatorRow> {
  const invitation = await findInvitation(db, hashToken(token))
  if (invitation === undefined) throw invalidInvitation()
  return invitation
}

function invalidInvitation(): Refusal {
  return new Refusal('invalid_invitation', 'This link is invalid, already used or expired.')
}

/** The hash of a browser's session, if it has one. */
export function hashOf(session: string | undefined): Buffer | undefined {
  return session === undefined ? undefined : hashToken(session)
}

type OpenSession = Pick<NewSession, 'method' | 'confirmed'> & {
  row: OperatorRow
  /** The hash of the browser's session so far. */
  previous: Buffer | undefined
  ended: readonly LedgerEntry[]
}

/** Signs an operator in, as the last step of the transaction that authenticated them. */
export async function openSession(
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  tx: Db,
  { row: { id, name, role }, method, confirmed, previous, ended }: OpenSession,
): Promise<string> {
  const { token, token_hash } = newToken(config)
  const replaced =
    previous !== undefined && (await deleteSession(tx, previous)) ? [toSessionEntry(previous)] : []
  await insertSession(tx, { token_hash, operator_id: id, method, confirmed, max: maxOperatorSessions })
  const by = byOperator({ kind: 'operator', operator_id: id, name, role })
  await recordsAs('installation.operator_signed_in', by)(tx, { method })
  const entries = [...ended, ...replaced]
  if (entries.length > 0) await ledger.record(tx, entries)
  return token
}
