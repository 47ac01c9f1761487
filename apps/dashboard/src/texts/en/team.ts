import type { AccessKind, Role } from '@vidimus/contract/roles'
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
    support: 'Verifications without claims, resending webhooks, devices that only answer yes or no.',
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
  },
  remove: {
    button: 'Remove',
    label: 'Remove {name}',
    title: 'Remove {name}?',
    description:
      'Their sessions end, and their passkeys and the invitations they sent stop working at once. Their audit entries are kept.',
    submit: 'Remove member',
    done: '{name} removed.',
    secret:
      'Their role can reveal the webhook signing secret. If the audit log shows that they did, rotate it under Webhooks.',
  },
  access: {
    description:
      '{name} set this up. It works without their account, and they may have copies. What you keep is yours from then on.',
    kinds: {
      api_key: 'API keys',
      device: 'Devices',
      openid_client: 'OpenID clients',
      webhook_endpoint: 'Webhook endpoints',
      alert_webhook: 'Webhook for alerts',
      trust_anchor: 'Trust anchors',
      access_certificate: 'Access certificate',
    } satisfies Record<AccessKind, string>,
    end: {
      api_key: 'Revoke these keys',
      device: 'Revoke these devices',
      openid_client: 'Delete these clients',
      webhook_endpoint: 'Delete these endpoints',
      alert_webhook: 'Remove this webhook',
      trust_anchor: 'Stop trusting these certificates',
      access_certificate: 'Remove this certificate',
    } satisfies Record<AccessKind, string>,
    end_hints: {
      api_key: 'Systems that use them stop working at once.',
      device: 'Tills and tablets stop working until they are registered and paired again.',
      openid_client: 'Their sites can no longer verify anyone.',
      webhook_endpoint: 'Their receivers get no more events.',
      alert_webhook: 'It gets no more alerts.',
      trust_anchor: 'Credentials of these issuers are no longer trusted.',
      access_certificate: 'New verifications use the certificate of the service.',
    } satisfies Record<AccessKind, string>,
    keep_hints: {
      credential: 'They go on working, also for anyone who copied a secret or holds a device.',
      address: 'Stays in effect. Check whether it still belongs to your organisation.',
    },
    made_with_key: 'made with an API key',
    ended: 'Ended',
    taken_over: 'Still works, and is now yours',
    done: 'Done',
  },
}
