import type { Role } from '@vidimus/contract/roles'
import { plural } from '../plural.ts'

export type TeamTexts = typeof team

export const team = {
  title: 'Team',
  description:
    'Members and their roles. Everyone signs in with a passkey or your identity provider; there are no passwords.',
  members: 'Members',
  member: 'Member',
  you: 'You',
  role: 'Role',
  roles: 'Roles',
  signs_in_with: 'Signs in with',
  passkeys: plural({ one: '{count} passkey', other: '{count} passkeys' }),
  identity_provider: 'identity provider',
  not_set_up: 'Not set up',
  last_seen: 'Last seen',
  operator: 'Operator',
  role_descriptions: {
    owner: 'Everything, including assigning the owner role.',
    admin: 'Everything except managing owners: keys, secrets, settings, team, erasure.',
    developer:
      'API keys without erasure, templates, test verifications, webhooks, devices and claims. No secrets, no team.',
    support: 'Verifications without claims, resending webhooks, devices.',
    auditor: 'Read-only access to everything except claims and secrets, including the audit log.',
  } satisfies Record<Role, string>,
  invitations: {
    title: 'Open invitations',
    email: 'E-mail address',
    invited_by: 'Invited by',
    expires: 'Expires',
    expired: 'Expired',
    withdraw: 'Withdraw',
    withdraw_label: 'Withdraw invitation for {email}',
    withdraw_title: 'Withdraw this invitation?',
    withdraw_description: 'The link for {email} stops working.',
    withdraw_submit: 'Withdraw invitation',
    withdrawn: 'Invitation withdrawn.',
  },
  invite: {
    title: 'Invite member',
    submit: 'Create invitation link',
    email_hint: 'Identifies the member. If e-mail is set up, the link is also sent there.',
    email_invalid: 'Enter an e-mail address.',
    link_title: 'Invitation link',
    link_description:
      'Send this link to {email}. It can be used once, until {at}, to join with the role {role}. It is shown only once, and no e-mail is sent.',
    link_description_mailed:
      'The link is being sent to {email}. You can also pass it on yourself. It can be used once, until {at}, to join with the role {role}. It is shown only once.',
    copy_link: 'Copy link',
    copied: 'I have copied it',
  },
  change_role: {
    button: 'Change role',
    label: 'Change role of {name}',
    title: 'Role of {name}',
    done: '{name} now has the role {role}.',
    keys: 'API keys created by {name} that the role {role} may not create',
  },
  remove: {
    button: 'Remove',
    label: 'Remove {name}',
    title: 'Remove {name}?',
    description:
      'Their sessions end and their passkeys stop working at once. So do invitations they sent, and devices they registered that are not paired yet. Their audit entries are kept.',
    submit: 'Remove member',
    done: '{name} removed.',
    keys: 'API keys that {name} created',
    secret:
      'Their role can reveal the webhook signing secret. If the audit log shows that they did, rotate it under Webhooks.',
  },
  keys: {
    revoke: 'Revoke these keys',
    revoke_hint:
      'Systems that use them stop working at once. If you keep a key, anyone who copied it can go on using it.',
  },
}
