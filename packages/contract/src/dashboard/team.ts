import { z } from 'zod'
import { Timestamp } from '../values.ts'
import { Email, RoleName } from './values.ts'

export type Member = z.infer<typeof Member>
export const Member = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: RoleName,
    joined_at: Timestamp,
    last_seen_at: Timestamp.optional(),
    passkeys: z.int().min(0),
    oidc_linked: z.boolean(),
    you: z.boolean(),
  })
  .meta({ id: 'Member' })

export type PendingInvitation = z.infer<typeof PendingInvitation>
export const PendingInvitation = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    role: RoleName,
    invited_by: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp,
    lapsed: z.boolean(),
    /** The mail with the link. Absent if none was sent, because there is no mail server. */
    mail: z.enum(['waiting', 'sent', 'failed']).optional(),
    /** Why the mail failed, as the server said it: a short code. */
    mail_failure: z.string().optional(),
  })
  .meta({ id: 'PendingInvitation' })

export type Team = z.infer<typeof Team>
export const Team = z
  .strictObject({ members: z.array(Member), invitations: z.array(PendingInvitation) })
  .meta({ id: 'Team' })

/** An existing member gets a link that adds a sign-in method; their role does not change. */
export type InviteMember = z.infer<typeof InviteMember>
export const InviteMember = z.strictObject({ email: Email, role: RoleName }).meta({ id: 'InviteMember' })

export type NewInvitation = z.infer<typeof NewInvitation>
export const NewInvitation = z
  .strictObject({
    invitation: PendingInvitation,
    link: z.string().meta({ description: 'Works once. Shown only once.' }),
  })
  .meta({ id: 'NewInvitation' })

/** What happens to API keys that a member created and may no longer create. */
export type KeysDecision = z.infer<typeof KeysDecision>
export const KeysDecision = z.enum(['revoke', 'keep']).default('revoke')

export type RemoveMember = z.infer<typeof RemoveMember>
export const RemoveMember = z.object({ keys: KeysDecision })

export type ChangeRole = z.infer<typeof ChangeRole>
export const ChangeRole = z.strictObject({ role: RoleName, keys: KeysDecision }).meta({ id: 'ChangeRole' })
