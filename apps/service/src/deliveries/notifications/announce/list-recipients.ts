import type { AlertKind } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { type MemberToNotify, listMembersToNotify } from '../../../accounts/index.ts'
import { isWanted } from '../choices/is-wanted.ts'
import { readChoices } from '../choices/store.ts'

export type Recipient = MemberToNotify & { wants: (kind: AlertKind) => boolean }

/** A tenant's members, and which alerts each of them wants by mail. */
export async function listRecipients(tx: Db, tenant_id: string): Promise<Recipient[]> {
  const members = await listMembersToNotify(tx, tenant_id)
  const choices = await readChoices(tx, tenant_id)
  return members.map((member) => {
    const own = choices.filter(({ member_id }) => member_id === member.id)
    return { ...member, wants: (kind) => isWanted(member.role, own, kind) }
  })
}
