import { z } from 'zod'
import { scopes } from '../scopes.ts'
import { Count, describe, Timestamp } from '../values.ts'
import { accessKinds, type AccessKind } from './roles.ts'
import { Email, EnvironmentName, exampleMemberId, RoleName } from './values.ts'

export type Member = z.infer<typeof Member>
export const Member = z
  .strictObject({
    id: describe(z.uuid(), 'The id of the member.', exampleMemberId),
    name: describe(z.string(), 'Their name.', 'Anna Berg'),
    email: describe(z.string(), 'Their e-mail address.', 'anna@shop.example.com'),
    role: describe(RoleName, 'What they may do.', 'owner'),
    joined_at: describe(Timestamp, 'When they accepted their invitation.', '2026-11-02T08:00:00.123456Z'),
    last_seen_at: describe(
      Timestamp,
      'When they last used the dashboard. Absent if they never did.',
      '2026-11-15T11:58:00.123456Z',
    ).optional(),
    passkeys: describe(Count, 'How many passkeys they have.', 2),
    oidc_linked: describe(
      z.boolean(),
      'Whether they can sign in with the identity provider of their organisation.',
      false,
    ),
    you: describe(z.boolean(), 'Whether this member is the caller. Always false for an API key.', false),
  })
  .meta({ id: 'Member' })

export type PendingInvitation = z.infer<typeof PendingInvitation>
export const PendingInvitation = z
  .strictObject({
    id: describe(z.uuid(), 'The id of the invitation.', '1f0d8c5a-3b72-4d96-8e41-a7c2b9d05f63'),
    email: describe(z.string(), 'Who is invited.', 'jonas@shop.example.com'),
    role: describe(RoleName, 'The role that they will have.', 'developer'),
    invited_by: describe(z.string(), 'Who invited them.', 'Anna Berg'),
    created_at: describe(Timestamp, 'When they were invited.', '2026-11-15T09:00:00.123456Z'),
    expires_at: describe(Timestamp, 'Until when the link works.', '2026-11-22T09:00:00.123456Z'),
    expired: describe(z.boolean(), 'Whether the link has expired.', false),
    mail: describe(
      z.enum(['waiting', 'sent', 'failed']),
      'The mail with the link. Absent if none was sent, because there is no mail server.',
      'failed',
    ).optional(),
    mail_failure: describe(
      z.string(),
      'Why the mail failed, as the server said it: a short code.',
      'refused 550',
    ).optional(),
  })
  .meta({ id: 'PendingInvitation' })

export type Team = z.infer<typeof Team>
export const Team = z
  .strictObject({
    members: describe(z.array(Member), 'Everybody who can sign in to the dashboard.'),
    invitations: describe(z.array(PendingInvitation), 'Invitations that nobody has accepted yet.'),
  })
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
