import type { ChangeRole, KeysDecision, Team } from '@vidimus/contract'
import { revokeKeysBeyondRole, revokeKeysOfMember } from '../api-keys/revoke-of-member.ts'
import type { Operator } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { revokeUnpairedOfMember } from '../devices/revoke-of-member.ts'
import { changeRole, listTeam, removeMember } from '../members/team.ts'
import type { Member } from '../platform/principal.ts'

/** Removes a member and everything that would give them access again. Their API keys are revoked unless `keys` is `keep`. */
export async function removeMemberAndAccess(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  by: Member | Operator,
  { id, keys }: { id: string; keys: KeysDecision },
): Promise<{ revoked_keys: number; revoked_devices: number }> {
  return db.transaction(async (tx) => {
    const { member, ended } = await removeMember(tx, by, id)
    const revokedKeys = keys === 'revoke' ? await revokeKeysOfMember(tx, { by, member }) : []
    const revokedDevices = await revokeUnpairedOfMember(tx, { by, member })
    await ledger.record(tx, [...ended, ...revokedKeys, ...revokedDevices])
    return { revoked_keys: revokedKeys.length, revoked_devices: revokedDevices.length }
  })
}

/** Changes a role. API keys with scopes beyond the new role are revoked unless `keys` is `keep`. */
export async function changeRoleAndAccess(
  ctx: Pick<Context, 'db' | 'ledger'>,
  by: Member,
  { id, role, keys }: ChangeRole & { id: string },
): Promise<Team> {
  await ctx.db.transaction(async (tx) => {
    const { member, ended } = await changeRole(tx, by, { id, role })
    const revokedKeys = keys === 'revoke' ? await revokeKeysBeyondRole(tx, { by, member }) : []
    const entries = [...ended, ...revokedKeys]
    if (entries.length > 0) await ctx.ledger.record(tx, entries)
  })
  return listTeam(ctx, by)
}
