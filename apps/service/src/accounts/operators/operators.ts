import {
  type NewOperatorInvitation,
  type OperatorAccount,
  type OperatorRole,
  mayHoldOperatorRole,
  operatorMay,
  operatorRoles,
} from '@vidimus/contract'
import { type InstallationOperator, recordsAs } from '../../audit/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { LedgerEntry } from '../../engine/ledger/index.ts'
import { newToken } from '../sign-in/tokens.ts'
import { roleLedgerId, toInvitationEntry } from './ended-operators.ts'
import {
  type OperatorRow,
  deleteEnded,
  findOperator,
  findOperatorByEmail,
  insertOperator,
  lockOperators,
  markRemoved,
  putInvitation,
  readOperators,
  updateRole,
} from './store.ts'
import { revokeTokensBeyond } from './token-store.ts'

/** Operators of an installation, without those who were removed. */
export const maxOperators = 200
/** Of a list, which has removed ones too. */
const maxListed = 1000
export const operatorInvitation_hours = 24

type Ctx = Pick<Context, 'config' | 'db' | 'ledger'>

/** Everybody who operates the installation or did in the last 400 days. `you`: the operator who asks. */
export async function listOperators({ db }: Pick<Context, 'db'>, you?: string): Promise<OperatorAccount[]> {
  return (await readOperators(db, maxListed)).map((row) => viewOperator(row, you))
}

export type AddOperator = {
  by: InstallationOperator
  name: string
  email: string
  role: OperatorRole
}

/** Adds an operator, and returns the address with which they register their passkey. The first one is added by a command. */
export async function addOperator(
  ctx: Ctx,
  { by, name, email, role }: AddOperator,
): Promise<NewOperatorInvitation> {
  return ctx.db.transaction(async (tx) => {
    const operators = await lockForManaging(tx, by)
    if (operators.some((each) => each.email === email))
      throw new Refusal('invalid_request', `There is an operator ${email}. Invite them again instead.`)
    if (operators.length >= maxOperators)
      throw new Refusal('too_many', `There are ${maxOperators} operators. Remove one first.`)
    const id = await insertOperator(tx, { name, email, role })
    await recordsAs('installation.operator_added', by)(tx, { operator_id: id, role })
    return invite(ctx, tx, id)
  })
}

/**
 * Another invitation for an operator who did not accept in time, or lost their passkeys. It replaces an open one. Who has the link could act
 * as the operator, so that for an owner who has joined only a command makes one (ADR 20).
 */
export async function inviteOperator(
  ctx: Ctx,
  { by, id }: { by: InstallationOperator; id: string },
): Promise<NewOperatorInvitation> {
  return ctx.db.transaction(async (tx) => {
    await lockForManaging(tx, by)
    const { role, joined_at } = await requireOperator(tx, id)
    if (by.operator_id !== undefined && role === 'owner' && joined_at !== null)
      throw new Refusal(
        'role_not_allowed',
        'Only `vidimus admin operator invite` on the server invites an owner again. Or remove and add them.',
      )
    await recordsAs('installation.operator_invited', by)(tx, { operator_id: id })
    return invite(ctx, tx, id)
  })
}

async function invite({ config, ledger }: Ctx, tx: Db, id: string): Promise<NewOperatorInvitation> {
  const { token, token_hash } = newToken(config)
  const replaced = await putInvitation(tx, {
    id,
    hash: token_hash,
    lifetime_hours: operatorInvitation_hours,
  })
  if (replaced !== null) await ledger.record(tx, [toInvitationEntry(replaced)])
  const operator = viewOperator(await requireOperator(tx, id))
  // The token is in the fragment, which browsers do not send and servers do not log.
  return { operator, link: `${config.OPERATOR_URL}/console/invitation#${token}` }
}

/** Changes a role. Tokens that the new role could not make end. */
export async function changeOperatorRole(
  ctx: Ctx,
  { by, id, role }: { by: InstallationOperator; id: string; role: OperatorRole },
): Promise<OperatorAccount> {
  return ctx.db.transaction(async (tx) => {
    const operators = await lockForManaging(tx, by)
    const { role: from } = await requireOperator(tx, id)
    if (role !== 'owner') requireAnotherOwner(operators, id)
    await updateRole(tx, { id, role })
    const roles = operatorRoles.filter((each) => mayHoldOperatorRole(role, each))
    const tokens = await revokeTokensBeyond(tx, { operator_id: id, roles })
    const record = recordsAs('installation.operator_role_changed', by)
    await record(tx, { operator_id: id, from, to: role, tokens: tokens.length })
    const entries: LedgerEntry[] = [
      ...(from === role ? [] : [{ kind: 'operator_role', id: roleLedgerId(id, role) } as const]),
      ...tokens.map((token) => ({ kind: 'operator_token', id: token }) as const),
    ]
    if (entries.length > 0) await ctx.ledger.record(tx, entries)
    return viewOperator(await requireOperator(tx, id), by.operator_id)
  })
}

/** Removes an operator with their sessions, passkeys, invitation and tokens. The last owner stays. */
export async function removeOperator(
  ctx: Ctx,
  { by, id }: { by: InstallationOperator; id: string },
): Promise<OperatorAccount> {
  return ctx.db.transaction(async (tx) => {
    const operators = await lockForManaging(tx, by)
    const { role } = await requireOperator(tx, id)
    requireAnotherOwner(operators, id)
    await markRemoved(tx, id)
    await recordsAs('installation.operator_removed', by)(tx, { operator_id: id, role })
    await ctx.ledger.record(tx, [{ kind: 'operator', id }])
    const row = (await readOperators(tx, maxListed)).find((each) => each.id === id)
    if (row === undefined) throw notFound('not_found')
    return viewOperator(row, by.operator_id)
  })
}

/** The id of the operator with an e-mail address, for commands. */
export async function findOperatorId({ db }: Pick<Context, 'db'>, email: string): Promise<string> {
  const found = await findOperatorByEmail(db, email)
  if (found === undefined) throw new Refusal('not_found', `There is no operator ${email}.`)
  return found.id
}

/** Nobody else changes operators until the transaction ends, and who does may still. Returns those who were not removed. */
async function lockForManaging(tx: Db, by: InstallationOperator): Promise<OperatorRow[]> {
  await lockOperators(tx)
  const operators = (await readOperators(tx, maxListed)).filter(({ removed_at }) => removed_at === null)
  if (by.operator_id === undefined) return operators
  const acting = operators.find(({ id }) => id === by.operator_id)
  if (acting === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
  if (!operatorMay(acting.role, 'manage_operators'))
    throw new Refusal('role_not_allowed', `The role ${acting.role} does not allow this.`)
  return operators
}

async function requireOperator(tx: Db, id: string): Promise<OperatorRow> {
  const row = await findOperator(tx, id)
  if (row === undefined) throw notFound('not_found')
  return row
}

/** Of two owners who remove each other at the same time, one stays. */
function requireAnotherOwner(operators: readonly OperatorRow[], id: string): void {
  const owners = operators.filter(({ role }) => role === 'owner')
  if (owners.length === 1 && owners[0]?.id === id)
    throw new Refusal('last_owner', 'This is the last owner. Make another operator an owner first.')
}

function viewOperator(row: OperatorRow, you?: string): OperatorAccount {
  const { id, name, email, role, created_at, joined_at, last_seen_at, removed_at, invited_until } = row
  const { passkeys, oidc_linked } = row
  return {
    id,
    name,
    email,
    role,
    created_at,
    passkeys,
    oidc_linked,
    you: id === you,
    ...(joined_at !== null && { joined_at }),
    ...(last_seen_at !== null && { last_seen_at }),
    ...(invited_until !== null && { invited_until }),
    ...(removed_at !== null && { removed_at }),
  }
}

const batchSize = 1000

/** Deletes ended sessions, and tokens and operators that ended long ago. Nothing depends on it: they are ignored anyway. */
export async function sweepOperators({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteEnded(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
