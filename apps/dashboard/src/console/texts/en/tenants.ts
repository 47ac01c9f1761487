import type { AttentionKind, OperatorTenant } from '@vidimus/contract'
import type { PluralForms } from '@vidimus/holder-texts'
import { plural } from '../../../texts/plural.ts'

export type TenantsTexts = typeof tenants

export const tenants = {
  title: 'Tenants',
  description: 'Every merchant on this installation. Nothing here shows what holders disclosed.',
  caption: 'Tenants by name',
  search: 'Name or id',
  state: 'State',
  states: {
    active: 'Active',
    suspended: 'Suspended',
    closed: 'Closed',
  } satisfies Record<OperatorTenant['state'], string>,
  tenant: 'Tenant',
  plan: 'Plan',
  today: 'Today',
  of_quota: 'of {quota}',
  quota_share: 'Share of today’s quota',
  live_this_month: 'Live this month',
  accepted: 'Accepted',
  last_active: 'Last active',
  deleted_on: 'Deletion on',
  attention: {
    title: plural({ one: 'Needs attention, {count}', other: 'Needs attention, {count}' }),
    more_than: 'Needs attention, more than {count}',
    open: 'Open',
    decide: 'Decide',
    others: plural({ one: '{count} more', other: '{count} more' }),
    fewer: 'Show fewer',
    kinds: {
      sign_up_waits: plural({ one: 'signed up and waits for you', other: 'signed up and waits for you' }),
      deletion_planned: plural({ one: 'will be deleted', other: 'will be deleted' }),
      suspended: plural({ one: 'is suspended', other: 'is suspended' }),
      endpoint_disabled: plural({
        one: 'a webhook endpoint was disabled after five days of failures',
        other: '{count} webhook endpoints were disabled after five days of failures',
      }),
      endpoint_failing: plural({
        one: 'a webhook endpoint fails',
        other: '{count} webhook endpoints fail',
      }),
      webhook_url_failing: plural({
        one: 'webhooks to a host fail',
        other: 'webhooks to {count} hosts fail',
      }),
      certificate_expires: plural({
        one: 'its access certificate ends soon',
        other: '{count} access certificates end soon',
      }),
      registration_refused: plural({
        one: 'a registration is not valid any more',
        other: '{count} registrations are not valid any more',
      }),
      registration_expires: plural({
        one: 'a registration ends soon',
        other: '{count} registrations end soon',
      }),
      trust_list_stale: plural({
        one: 'a trust list of its own cannot be refreshed',
        other: '{count} trust lists of its own cannot be refreshed',
      }),
      quota: plural({ one: 'is near its daily quota, or at it', other: 'is near its daily quota, or at it' }),
    } satisfies Record<AttentionKind, PluralForms>,
  },
  load_more: 'Load more tenants',
  no_match: 'No tenant matches.',
  empty_title: 'No tenants yet',
  empty_text: 'A tenant is a merchant’s account. Its owner is invited by a link and does the rest.',
  create: {
    title: 'New tenant',
    submit: 'Create tenant',
    name: 'Name',
    name_hint: 'What holders and members read, for example Harbour Wines.',
    name_missing: 'Enter a name.',
    owner_email: 'E-mail address of the owner (optional)',
    owner_email_hint: 'They get a sign-in link, which you also see here.',
    email_invalid: 'Enter an e-mail address.',
    plan: 'Plan',
    default_plan: 'The plan of new tenants',
    external_id: 'Your own id for it (optional)',
    external_id_hint: 'For example a customer number. A second creation with it changes nothing.',
    created: 'Tenant created',
    existed: 'This tenant existed already',
    existed_description: 'Nothing was changed. This is its id.',
    no_invitation: 'Nobody was invited. This is its id.',
    invited: 'Send this link to {email}. It works once and is not shown again.',
    invited_by_mail: 'This link was also sent to {email}. It works once and is not shown again.',
    copy_id: 'Copy id',
    copy_link: 'Copy link',
    copied: 'I have copied it',
    webhook_secrets: 'Webhook secrets',
    webhook_secrets_hint:
      'They sign its webhooks, test first. Owners and admins can read them on the dashboard.',
    copy_test_secret: 'Copy test secret',
    copy_live_secret: 'Copy live secret',
  },
}
