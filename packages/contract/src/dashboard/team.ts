import { z } from 'zod'
import { scopes } from '../scopes.ts'
import { Timestamp } from '../values.ts'
import { accessKinds, type AccessKind } from './roles.ts'
import { Email, EnvironmentName, RoleName } from './values.ts'

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
    expired: z.boolean(),
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

/** Something that a member, or an API key of theirs, set up and that gives access without their session. */
export type AccessItem = z.infer<typeof AccessItem>
export const AccessItem = z
  .strictObject({
    kind: z.enum(Object.keys(accessKinds) as AccessKind[]),
    id: z.string(),
    /** Its name, or what identifies it: the host of an address, the subject of a certificate. */
    name: z.string(),
    /** Absent for what applies to both environments. */
    environment: EnvironmentName.optional(),
    /** Of an API key. */
    scopes: z.array(z.enum(scopes)).optional(),
    /** It was made with an API key of the member. */
    made_with_key: z.boolean().optional(),
  })
  .meta({ id: 'AccessItem' })

const Decision = z.enum(['end', 'keep'])

/** What happens to the objects of each kind. Those that are kept are taken over by the member who decides. */
export type AccessDecisions = z.infer<typeof AccessDecisions>
export const AccessDecisions = z.strictObject({
  api_key: Decision.default('end'),
  device: Decision.default('end'),
  openid_client: Decision.default('end'),
  webhook_endpoint: Decision.default('keep'),
  alert_webhook: Decision.default('keep'),
  trust_anchor: Decision.default('keep'),
  access_certificate: Decision.default('keep'),
} satisfies Record<AccessKind, unknown>)

export type ChangeRole = z.infer<typeof ChangeRole>
export const ChangeRole = z
  .strictObject({ role: RoleName, ...AccessDecisions.shape })
  .meta({ id: 'ChangeRole' })

/** `role`: the role that the member would get; absent if they would be removed. */
export const ListAccess = z.strictObject({ role: RoleName.optional() })

export type AccessList = z.infer<typeof AccessList>
export const AccessList = z.strictObject({ data: z.array(AccessItem) }).meta({ id: 'AccessList' })

/** The team after a change of a member, and what happened to what they had set up. */
export type ChangedTeam = z.infer<typeof ChangedTeam>
export const ChangedTeam = z
  .strictObject({ ...Team.shape, ended: z.array(AccessItem), taken_over: z.array(AccessItem) })
  .meta({ id: 'ChangedTeam' })
