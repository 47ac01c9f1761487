import type { Environment, Scope } from '@vidimus/contract'
import { plural } from '../plural.ts'

export type KeysTexts = typeof keys

export const keys = {
  title: 'API keys',
  descriptions: {
    test: 'Your systems use these keys to call the test environment. A key is shown once, when you create it; only its hash is stored.',
    live: 'Your systems use these keys to call the live environment. A key is shown once, when you create it; only its hash is stored.',
  } satisfies Record<Environment, string>,
  captions: {
    test: 'API keys in the test environment',
    live: 'API keys in the live environment',
  } satisfies Record<Environment, string>,
  create: 'Create key',
  scopes: 'Scopes',
  last_used: 'Last used',
  expires: 'Expires',
  revoked: 'Revoked',
  expired: 'Expired',
  never_expires: 'Never',
  empty: {
    title: 'No API keys yet',
    what: 'A key lets your server create verifications and read their results. Create one per system, with only the scopes it needs, so that you can revoke each separately.',
    secrecy: 'Never put a key in an app or a web page: anyone who has it can act as you.',
  },
  form: {
    titles: { test: 'Create a test key', live: 'Create a live key' } satisfies Record<Environment, string>,
    name_hint: 'The system that will use it, such as “Web shop”.',
    name_missing: 'Enter a name.',
    scope_missing: 'Select at least one scope.',
    scope_groups: {
      integrate: 'Scopes',
      observe: 'Scopes to read',
      manage: 'Scopes to manage the account, for test and live alike, for at most 90 days',
    },
    scope_hints: {
      'verifications:create': 'Create verifications.',
      'verifications:read': 'Read results, including claims, and usage.',
      'devices:manage': 'Register, list and revoke devices.',
      'webhooks:manage': 'Create, change and delete webhook endpoints.',
      'verifications:delete':
        'Erase verifications permanently. Grant it only to the system that handles erasure requests.',
      'links:manage': 'Create, change and delete verification links, and see their addresses.',
      'config:read': 'Read templates, settings, registrations, OpenID clients and the list of keys.',
      'members:read': 'Read names, e-mail addresses and roles of members.',
      'requests:read': 'Read the request log.',
      'audit:read': 'Read and export the audit log.',
      'templates:manage': 'Create, change and delete templates.',
      'settings:manage': 'Change brand, policies, holder’s page and the webhook for alerts.',
      'trust:manage': 'Change trusted issuers, registrations and certificates.',
      'openid_clients:manage': 'Create, change and delete OpenID clients.',
      'sealing:manage': 'Register and retire the keys that results are sealed to.',
      'keys:manage': 'Create keys with some of its own scopes, and revoke keys.',
    } satisfies Record<Scope, string>,
    never: 'Never',
    after_days: plural({ one: 'After {count} day', other: 'After {count} days' }),
    on: 'On {day}',
  },
  created: {
    title: 'Copy your key now',
    description:
      '“{name}” is shown only once. Store it with your other secrets. If you lose it, revoke it and create a new one.',
    copy: 'Copy key',
    try: 'Try it',
    copy_example: 'Copy example',
    copied: 'I have copied it',
  },
  revoke: {
    button: 'Revoke',
    label: 'Revoke {name}',
    title: 'Revoke “{name}”?',
    description:
      'Requests with {prefix} will fail with {code}. This cannot be undone. Verifications it created are kept.',
    submit: 'Revoke key',
    done: '“{name}” revoked.',
  },
}
