import type { OperatorRole } from '@vidimus/contract/operator-roles'
import type { OperatorToken } from '@vidimus/contract'
import { plural } from '../../../texts/plural.ts'

export type OperatorsTexts = typeof operators

export const operators = {
  title: 'Operators',
  description: 'Who may sign in to this console, and what each role may do.',
  caption: 'Operators',
  operator: 'Operator',
  you: 'You',
  removed: 'Removed',
  role: 'Role',
  signs_in_with: 'Signs in with',
  nothing: 'Not set up',
  passkeys: plural({ one: '{count} passkey', other: '{count} passkeys' }),
  identity_provider: 'Identity provider',
  invited_until: 'Link works until {at}',
  last_seen: 'Last seen',
  roles_title: 'Roles',
  role_descriptions: {
    owner: 'Everything: tenants, plans, operators, the log.',
    support: 'Reads tenants, plans and health, and finds verifications by id. Changes nothing.',
    billing: 'Reads tenants and usage, and changes plans and quotas.',
    auditor: 'Reads usage, health and the log. Sees no tenant’s details.',
  } satisfies Record<OperatorRole, string>,
  add: {
    title: 'Add operator',
    submit: 'Create sign-in link',
    name: 'Name',
    name_hint: 'Shown here and in the log.',
    name_missing: 'Enter a name.',
    email: 'E-mail address',
    email_invalid: 'Enter an e-mail address.',
  },
  link: {
    title: 'Sign-in link',
    created: 'Sign-in link created.',
    description:
      'Send this link to {email}, role {role}. It works once, for 24 hours, and is not shown again.',
    copy: 'Copy link',
    copied: 'I have copied it',
  },
  change_role: {
    button: 'Role',
    label: 'Role of {name}',
    title: 'Role of {name}',
    submit: 'Change role',
    done: '{name} has another role.',
  },
  invite: {
    button: 'Link',
    label: 'Link for {name}',
    title: 'New sign-in link for {name}?',
    description:
      'With it they add a passkey, or sign in at the identity provider if there is one. An earlier link that was not used stops working.',
  },
  remove: {
    button: 'Remove',
    label: 'Remove {name}',
    title: 'Remove {name}?',
    description: 'Their sessions and tokens end at once. The log keeps their name.',
    submit: 'Remove operator',
    done: '{name} removed.',
  },
}

export type TokensTexts = typeof tokens

export const tokens = {
  title: 'API tokens',
  description:
    'Programs call the operators’ API with a token. It reads; what is lasting needs a person with a passkey.',
  caption: 'API tokens',
  role: 'Role',
  made_by: 'Made by',
  expires: 'Ends',
  last_used: 'Last used',
  states: {
    active: 'Active',
    expired: 'Expired',
    revoked: 'Revoked',
  } satisfies Record<OperatorToken['state'], string>,
  empty_title: 'No tokens yet',
  empty_text: 'For example for a billing system that fetches the usage of each month.',
  create: {
    title: 'New token',
    description: 'It ends with you: when you are removed, or your role no longer includes its own.',
    submit: 'Create token',
    name: 'Name',
    name_hint: 'What it is for, for example Billing export.',
    name_missing: 'Enter a name.',
    expires: 'Works for',
    days: plural({ one: '{count} day', other: '{count} days' }),
    token_title: 'Copy the token now',
    token_description: 'The token “{name}” is not shown again.',
    copy: 'Copy token',
    copied: 'I have copied it',
  },
  revoke: {
    button: 'Revoke',
    label: 'Revoke {name}',
    title: 'Revoke “{name}”?',
    description: 'Programs that use it are refused from the next request on.',
    submit: 'Revoke token',
    done: 'Token “{name}” revoked.',
  },
}
