import type { AccessDecisions, ChangedTeam, Role } from '@vidimus/contract'
import type { Operator } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { changeRole, listTeam, removeMember } from '../../accounts/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { Member } from '../../engine/basics/index.ts'
import { recheckSoon } from '../../trust/index.ts'
import { maxListedAccess, endOrTakeOver, type ChangedAccess } from './member-access.ts'

type TeamContext = Pick<Context, 'db' | 'ledger'>

/** Removes a member with all that gives them access; what they set up for others ends or is taken over, as decided. */
export async function removeMemberAndAccess(
  ctx: TeamContext,
  by: Member | Operator,
  { id, decisions }: { id: string; decisions: AccessDecisions },
): Promise<ChangedAccess> {
  return changeAccess(ctx, by, async (tx) => {
    const { member, ended } = await removeMember(tx, by, id)
    const changed = await endOrTakeOver(tx, { by, cause: 'member.removed', member, decisions })
    return { ...changed, entries: [...ended, ...changed.entries] }
  })
}

/** Changes a role. What the member set up and could not set up with the new role ends or is taken over, as decided. */
export async function changeRoleAndAccess(
  ctx: TeamContext,
  by: Member,
  { id, role, decisions }: { id: string; role: Role; decisions: AccessDecisions },
): Promise<ChangedAccess> {
  return changeAccess(ctx, by, async (tx) => {
    const { member, ended } = await changeRole(tx, by, { id, role })
    const changed = await endOrTakeOver(tx, { by, cause: 'member.role_changed', member, role, decisions })
    return { ...changed, entries: [...ended, ...changed.entries] }
  })
}

/** The team after a change, with what happened to what the member had set up. */
export async function viewChangedTeam(
  ctx: Pick<Context, 'db'>,
  by: Member,
  { ended, taken_over }: ChangedAccess,
): Promise<ChangedTeam> {
  return {
    ...(await listTeam(ctx, by)),
    ended: ended.slice(0, maxListedAccess),
    taken_over: taken_over.slice(0, maxListedAccess),
  }
}

async function changeAccess(
  { db, ledger }: TeamContext,
  { tenant_id }: Member | Operator,
  change: (tx: Db) => Promise<ChangedAccess>,
): Promise<ChangedAccess> {
  const changed = await db.transaction(async (tx) => {
    const access = await change(tx)
    if (access.entries.length > 0) await ledger.record(tx, access.entries)
    return access
  })
  if (changed.ended.some(({ kind }) => kind === 'access_certificate')) await recheckSoon({ db }, tenant_id)
  return changed
}
