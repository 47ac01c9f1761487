import type { Db } from '../../engine/db/index.ts'
import { readInvitationMails, type InvitationMailRow } from './store.ts'

export type InvitationMail = InvitationMailRow

/** What became of the mails of a tenant's invitations, or of one of them. */
export function listInvitationMails(
  db: Db,
  invitations: { tenant_id: string; invitation_id?: string },
): Promise<InvitationMail[]> {
  return readInvitationMails(db, invitations)
}
