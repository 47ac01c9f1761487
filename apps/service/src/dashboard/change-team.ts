import type { ChangeRole, KeysDecision, Team } from '@vidimus/contract'
import { revokeKeysBeyondRole, revokeKeysOfMember } from '../api-keys/revoke-of-member.ts'
import type { Context } from '../context.ts'
import { revokeUnpairedOfMember } from '../devices/revoke-of-member.ts'
import { changeRole, listTeam, removeMember } from '../members/team.ts'
import type { Member } from '../platform/principal.ts'

/** Removes a member and everything that would give them access again. Their API keys are revoked unless `keys` is `keep`. */
export async function removeMemberAndAccess(
  ctx: Pick<Context, 'db'>,
  by: Member,
  { id, keys }: { id: string; keys: KeysDecision },
): Promise<Team> {
  await ctx.db.transaction(async (tx) => {
    const member = await removeMember(tx, by, id)
    if (keys === 'revoke') await revokeKeysOfMember(tx, { by, member })
    await revokeUnpairedOfMember(tx, { by, member })
  })
  return listTeam(ctx, by)
}

/** Changes a role. API keys with scopes beyond the new role are revoked unless `keys` is `keep`. */
export async function changeRoleAndAccess(
  ctx: Pick<Context, 'db'>,
  by: Member,
  { id, role, keys }: ChangeRole & { id: string },
): Promise<Team> {
  await ctx.db.transaction(async (tx) => {
    const member = await changeRole(tx, by, { id, role })
    if (keys === 'revoke') await revokeKeysBeyondRole(tx, { by, member })
  })
  return listTeam(ctx, by)
}
