import { plural } from '../../../texts/plural.ts'

export type LogTexts = typeof log

/** Every action that the installation's log can contain, with what it means. */
const actions = {
  'audit.restored': 'Database restored',
  'installation.audit_key_rotated': 'Key of the audit log rotated',
  'installation.identity_changed': 'Access certificate changed',
  'installation.keyring_changed': 'Key ring changed',
  'installation.operator_added': 'Operator added',
  'installation.operator_invited': 'Sign-in link created',
  'installation.operator_joined': 'Operator joined',
  'installation.operator_passkey_added': 'Passkey added',
  'installation.operator_passkey_removed': 'Passkey removed',
  'installation.operator_removed': 'Operator removed',
  'installation.operator_role_changed': 'Role changed',
  'installation.operator_sign_in_failed': 'Sign-in failed',
  'installation.operator_signed_in': 'Signed in',
  'installation.operator_signed_out': 'Signed out',
  'installation.operator_token_created': 'Token created',
  'installation.operator_token_revoked': 'Token revoked',
  'installation.owner_invited': 'Owner of a tenant invited',
  'installation.plan_changed': 'Plan changed or removed',
  'installation.restored': 'Changes repeated after a restore',
  'installation.sandbox_rotated': 'Sandbox keys rotated',
  'installation.tenant_created': 'Tenant created',
  'installation.tenant_deleted': 'Tenant deleted',
  'installation.tenant_deletion_planned': 'Deletion of a tenant planned',
  'installation.tenant_deletion_withdrawn': 'Deletion of a tenant withdrawn',
  'installation.tenant_moved': 'Tenant moved to another cell',
  'installation.tenant_plan_changed': 'Plan of a tenant changed',
  'installation.tenant_quota_changed': 'Quota of a tenant changed',
  'installation.tenant_state_changed': 'Tenant suspended, resumed or closed',
  'installation.trust_changed': 'Trust lists or anchors changed',
  'installation.webhook_secret_rotated': 'Webhook secret of a tenant rotated',
}

export const log = {
  title: 'Log',
  description:
    'Who changed the installation, when and why: here, by the API or on the command line. Each entry is linked to the one before it.',
  caption: 'Entries of the log, newest first',
  action: 'Action',
  operator: 'Who',
  subject: 'Subject',
  reason: 'Reason',
  number: 'No.',
  time: 'Time',
  details: 'Details',
  erased: 'Erased',
  load_older: 'Load older entries',
  load_again: 'Load again',
  no_match: 'No entries match.',
  waiting: plural({
    one: '{count} entry is waiting to be added to the chain.',
    other: '{count} entries are waiting to be added to the chain.',
  }),
  empty_title: 'No entries yet',
  empty_text: 'Every change of the installation is recorded here, with who made it.',
  check: {
    title: 'Integrity check',
    description: 'The service reads every entry and compares the chain with its signatures.',
    start: 'Check now',
    intact: plural({
      one: 'Log intact: {count} entry, not changed.',
      other: 'Log intact: {count} entries, none changed or missing.',
    }),
    broken: plural({
      one: 'Log broken: {count} problem found.',
      other: 'Log broken: {count} problems found.',
    }),
    removed: 'Texts that were due to be deleted',
    last_hash: 'Last hash',
  },
  actions,
}
