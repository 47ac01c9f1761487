import type { Db } from '../../engine/db/index.ts'
import { readMembersToNotify, type MemberToNotifyRow } from './store.ts'

export type MemberToNotify = MemberToNotifyRow

/** A tenant's members with what a mail to them needs. */
export function listMembersToNotify(db: Db, tenant_id: string): Promise<MemberToNotify[]> {
  return readMembersToNotify(db, tenant_id)
}
