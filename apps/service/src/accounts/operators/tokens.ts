import {
  type CreatedOperatorToken,
  type OperatorRole,
  type OperatorToken,
  mayHoldOperatorRole,
  operatorMay,
} from '@vidimus/contract'
import { byOperator, recordsAs } from '../../audit/index.ts'
import { type OperatorPrincipal, Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { hashToken, newToken } from '../sign-in/tokens.ts'
import { findOperator, lockOperator } from './store.ts'
import { type TokenRow, insertToken, readTokens, revokeToken } from './token-store.ts'

/** Tokens of one operator that work. */
export const maxOperatorTokens = 20
const maxListed = 1000
const prefixLength = 8

export type CreateToken = {
  name: string
  role: OperatorRole
  expires_in_days: number
  reason?: string | undefined
}

/** Creates a token for programs, with a role that its maker has or, if they are an owner, any. Only its hash is stored. */
export async function createToken(
  { config, db }: Pick<Context, 'config' | 'db'>,
  by: OperatorPrincipal,
  { name, role, expires_in_days, reason }: CreateToken,
): Promise<CreatedOperatorToken> {
  const { operator_id } = by
  const token = `vo_${newToken(config).token}`
  return db.transaction(async (tx) => {
    // Locked, so that a concurrent change of their role finds the token, or this finds the new role.
    const maker = (await lockOperator(tx, operator_id)) ? await findOperator(tx, operator_id) : undefined
    if (maker === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
    if (!mayHoldOperatorRole(maker.role, role))
      throw new Refusal(
        'role_not_allowed',
        `The role ${maker.role} does not allow a token with the role ${role}.`,
      )
    const row = await insertToken(
      tx,
      {
        operator_id,
        hash: hashToken(token),
        prefix: token.slice(0, prefixLength),
        name,
        role,
        lifetime_days: expires_in_days,
      },
      maxOperatorTokens,
    )
    if (row === undefined)
      throw new Refusal('too_many', `You have ${maxOperatorTokens} tokens. Revoke one first.`)
    const record = recordsAs('installation.operator_token_created', byOperator(by, reason))
    await record(tx, { token_id: row.id, role, expires_in_days })
    return { ...viewToken(row), token }
  })
}

/** The operator's own tokens; everybody's for those who manage operators. */
export async function listTokens(
  { db }: Pick<Context, 'db'>,
  by: OperatorPrincipal,
): Promise<OperatorToken[]> {
  const rows = await readTokens(db, { operator_id: ownerFilter(by), limit: maxListed })
  return rows.map(viewToken)
}

/** Revokes a token for good. */
export async function revokeOperatorToken(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  by: OperatorPrincipal,
  id: string,
): Promise<OperatorToken> {
  return db.transaction(async (tx) => {
    const row = await revokeToken(tx, { id, operator_id: ownerFilter(by) })
    if (row === undefined) throw notFound('not_found')
    const { operator_id } = row
    await recordsAs('installation.operator_token_revoked', byOperator(by))(tx, { token_id: id, operator_id })
    await ledger.record(tx, [{ kind: 'operator_token', id }])
    return viewToken(row)
  })
}

function ownerFilter({ operator_id, role }: OperatorPrincipal): string | undefined {
  return operatorMay(role, 'manage_operators') ? undefined : operator_id
}

function viewToken(row: TokenRow): OperatorToken {
  const { id, name, prefix, role, operator_id, operator_name, created_at, expires_at, last_used_at, state } =
    row
  return {
    id,
    name,
    prefix,
    role,
    operator: { id: operator_id, name: operator_name },
    created_at,
    expires_at,
    ...(last_used_at !== null && { last_used_at }),
    state,
  }
}
