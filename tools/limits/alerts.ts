import { maxOpenAlerts, maxResolvedAlerts } from '../../apps/service/src/audit/alerts/store.ts'
import { maxInvitationMails } from '../../apps/service/src/audit/mail/enqueue-mail.ts'
import { maxAlertsPerHour } from '../../apps/service/src/deliveries/notifications/announce/announce.ts'
import { maxWaitingAlerts } from '../../apps/service/src/deliveries/notifications/webhook/enqueue.ts'
import { mailTimeout_ms } from '../../apps/service/src/engine/mail/open-mailer.ts'
import type { Limit } from './limit.ts'

const folder = 'apps/service/src'

export const alertLimits: readonly Limit[] = [
  {
    what: 'open alerts; those about access are counted apart',
    value: maxOpenAlerts,
    unit: 'alerts',
    per: 'tenant',
    whenExceeded: 'further ones are not raised',
    name: 'maxOpenAlerts',
    file: `${folder}/audit/alerts/store.ts`,
  },
  {
    what: 'resolved alerts that are kept',
    value: maxResolvedAlerts,
    unit: 'alerts',
    per: 'tenant',
    whenExceeded: 'the oldest are deleted',
    name: 'maxResolvedAlerts',
    file: `${folder}/audit/alerts/store.ts`,
  },
  {
    what: 'alerts that are mailed one by one in an hour',
    value: maxAlertsPerHour,
    unit: 'alerts',
    per: 'tenant',
    whenExceeded: 'the rest are mailed in one digest when the hour ends',
    name: 'maxAlertsPerHour',
    file: `${folder}/deliveries/notifications/announce/announce.ts`,
  },
  {
    what: 'alerts that wait for the webhook',
    value: maxWaitingAlerts,
    unit: 'events',
    per: 'tenant',
    whenExceeded: 'further ones are only shown in the dashboard',
    name: 'maxWaitingAlerts',
    file: `${folder}/deliveries/notifications/webhook/enqueue.ts`,
  },
  ...(['tenant', 'recipient', 'tenant_to_recipient'] as const).map((limit) => ({
    what: 'invitations by e-mail in a day',
    value: maxInvitationMails[limit],
    unit: 'mails',
    per: { tenant: 'tenant', recipient: 'recipient', tenant_to_recipient: 'tenant and recipient' }[limit],
    whenExceeded: 'the link is shown, and no mail is sent',
    name: `maxInvitationMails.${limit}`,
    file: `${folder}/audit/mail/enqueue-mail.ts`,
  })),
  {
    what: 'sending a mail',
    value: mailTimeout_ms,
    unit: 'ms',
    per: 'attempt',
    whenExceeded: 'the attempt failed; it is retried',
    name: 'mailTimeout_ms',
    file: `${folder}/engine/mail/open-mailer.ts`,
  },
]
