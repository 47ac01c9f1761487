import type { OperatorRole } from '@vidimus/contract/operator-roles'
import { plural } from '../../../texts/plural.ts'

export type ShellTexts = typeof shell

export const shell = {
  app: 'Operator',
  home: 'Vidimus Operator, first page',
  roles: {
    owner: 'Owner',
    support: 'Support',
    billing: 'Billing',
    auditor: 'Auditor',
  } satisfies Record<OperatorRole, string>,
  pages: {
    tenants: 'Tenants',
    'sign-ups': 'Sign-ups',
    plans: 'Plans',
    usage: 'Usage',
    health: 'Health',
    operators: 'Operators',
    tokens: 'API tokens',
    log: 'Log',
  },
  sign_ups_wait: plural({ one: '{count} waits', other: '{count} wait' }),
  attention: plural({
    one: '{count} thing needs attention',
    other: '{count} things need attention',
  }),
  confirmation:
    'This is lasting, and your last confirmation was more than ten minutes ago. Use your passkey to continue.',
  confirmation_at_provider:
    'This is lasting, and you have not confirmed that it is you in the last ten minutes. Sign in at your identity provider again. You then return to this page and repeat what you were doing.',
  who_by_role: 'Ask an operator with one of these roles: {roles}.',
}

export type ReasonTexts = typeof reason

export const reason = {
  label: 'Reason (optional)',
  required: 'Reason',
  hint: 'For the log. Tenants read it in their own audit log.',
}
