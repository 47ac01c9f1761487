import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Confirmation, OperatorMe, PasskeyOptions } from '@vidimus/contract'
import { byOperator, recordsAs } from '../../audit/index.ts'
import { type OperatorPrincipal, Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { AccountsContext } from '../context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import {
  type VerifiedPasskey,
  checkAssertion,
  checkRegistration,
  relyingParty,
  startAssertion,
  startRegistration,
} from '../sign-in/ceremony.ts'
import { readAssertion, signInFailed } from '../sign-in/challenge.ts'
import { limitAttempts } from '../sign-in/limit-attempts.ts'
import { spendChallenge } from '../sign-in/store.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { type OperatorSession, getMe } from './me.ts'
import { deletePasskey, findPasskey, insertPasskey, readPasskeys, recordPasskeyUse } from './passkey-store.ts'
import { markConfirmed } from './session-store.ts'
import { findOperator, lockOperator } from './store.ts'

export const maxOperatorPasskeys = 20

/** WebAuthn options for an operator's new passkey. */
export async function startOperatorRegistration(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return startRegistration(ctx, {
    rp: relyingParty(ctx.config.OPERATOR_URL),
    purpose: registrationPurpose(id),
    owner: { handle: id, email, name },
    existing: await readPasskeys(ctx.db, id),
  })
}

export function registrationPurpose(operator_id: string): string {
  return `operator register ${operator_id}`
}

/** Stores a verified passkey, in the transaction that established its owner. */
export async function savePasskey(
  tx: Db,
  { challenge, ...key }: VerifiedPasskey,
  owner: { operator_id: string; name: string },
): Promise<void> {
  const saved =
    (await spendChallenge(tx, challenge)) &&
    (await insertPasskey(tx, { ...key, ...owner }, maxOperatorPasskeys))
  if (!saved) throw signInFailed()
}

/** WebAuthn options for another passkey of the operator who is signed in. */
export async function startPasskey(ctx: Context, operator: OperatorPrincipal): Promise<PasskeyOptions> {
  const row = await findOperator(ctx.db, operator.operator_id)
  if (row === undefined) throw notSignedIn()
  return { options: { ...(await startOperatorRegistration(ctx, row)) } }
}

export async function addPasskey(
  ctx: Context,
  caller: OperatorSession,
  { name, response }: { name: string; response: unknown },
): Promise<OperatorMe> {
  const { operator } = caller
  const { operator_id } = operator
  const rp = relyingParty(ctx.config.OPERATOR_URL)
  const key = await checkRegistration(ctx, { rp, purpose: registrationPurpose(operator_id), response })
  await ctx.db.transaction(async (tx) => {
    if (!(await lockOperator(tx, operator_id))) throw notSignedIn()
    await savePasskey(tx, key, { operator_id, name })
    await recordsAs('installation.operator_passkey_added', byOperator(operator))(tx, {})
  })
  return getMe(ctx, caller)
}

/** The last passkey stays, unless the operator can sign in at the provider. */
export async function removePasskey(
  ctx: Pick<AccountsContext, 'db' | 'ledger' | 'operatorOidc'>,
  caller: OperatorSession,
  credential_id: string,
): Promise<OperatorMe> {
  const { operator } = caller
  const { operator_id } = operator
  await ctx.db.transaction(async (tx) => {
    if (!(await lockOperator(tx, operator_id))) throw notSignedIn()
    if (!(await deletePasskey(tx, { operator_id, credential_id }))) throw notFound('passkey_not_found')
    const row = await findOperator(tx, operator_id)
    const hasProvider = ctx.operatorOidc !== undefined && row?.oidc_linked === true
    if (row?.passkeys === 0 && !hasProvider)
      throw new Refusal('last_sign_in_method', 'This is your only passkey. Add another one first.')
    await recordsAs('installation.operator_passkey_removed', byOperator(operator))(tx, {})
    await ctx.ledger.record(tx, [{ kind: 'operator_passkey', id: credential_id }])
  })
  return getMe(ctx, caller)
}

/** WebAuthn options to confirm with one of the operator's own passkeys; none if they have no passkey, but the provider. */
export async function startConfirmation(
  ctx: Context,
  { operator_id }: OperatorPrincipal,
): Promise<Confirmation> {
  const rp = relyingParty(ctx.config.OPERATOR_URL)
  const passkeys = await readPasskeys(ctx.db, operator_id)
  if (passkeys.length === 0) return {}
  return {
    options: { ...(await startAssertion(ctx, { rp, purpose: confirmationPurpose(operator_id), passkeys })) },
  }
}

/** Marks the session as confirmed: its operator has just authenticated again. */
export async function confirm(
  ctx: Context,
  caller: OperatorSession,
  { response, address }: { response: unknown; address: AddressKey },
): Promise<OperatorMe> {
  const { operator_id } = caller.operator
  await limitAttempts(ctx, { address, method: 'confirmation' }, async () => {
    const assertion = readAssertion(response)
    const passkey = await findPasskey(ctx.db, assertion.id)
    if (passkey?.operator_id !== operator_id) throw signInFailed()
    const { challenge, counter, backed_up } = await checkAssertion(ctx, passkey, {
      rp: relyingParty(ctx.config.OPERATOR_URL),
      purpose: confirmationPurpose(operator_id),
      response: assertion,
    })
    await ctx.db.transaction(async (tx) => {
      const { credential_id } = passkey
      const confirmed =
        (await lockOperator(tx, operator_id)) &&
        (await spendChallenge(tx, challenge)) &&
        (await recordPasskeyUse(tx, { credential_id, counter, backed_up })) &&
        (await markConfirmed(tx, { operator_id, token_hash: hashToken(caller.session) }))
      if (!confirmed) throw signInFailed()
    })
  })
  return getMe(ctx, caller)
}

function confirmationPurpose(operator_id: string): string {
  return `operator confirm ${operator_id}`
}

function notSignedIn(): Refusal {
  return new Refusal('not_signed_in', 'Sign in to continue.')
}
