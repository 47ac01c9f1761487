import type { StatusName, SupportDelivery } from '@vidimus/contract'

export type SupportTexts = typeof support

export const support = {
  title: 'Look inside',
  of: 'What {name} sees of its own lists, without claims and secrets.',
  description: 'What a tenant sees of its own lists, without claims and secrets.',
  link: 'Look inside',
  without_access: 'These lists are shown only while the tenant lets the support look.',
  recorded: 'Each list that you open is an entry of the tenant’s own audit log, with your name.',
  view: 'List',
  environment: 'Environment',
  views: {
    verifications: 'Verifications',
    deliveries: 'Deliveries',
    requests: 'Requests',
    templates: 'Templates',
  },
  load_older: 'Load older',
  empty: 'Nothing here.',
  verifications: {
    hash: 'Verification, as the log calls it',
    responded: 'Responded',
    statuses: {
      pending: 'Pending',
      completed: 'Completed',
      failed: 'Failed',
      expired: 'Expired',
    } satisfies Record<StatusName, string>,
  },
  deliveries: {
    event: 'Event',
    state: 'State',
    host: 'Receiver',
    response: 'Response',
    attempt: 'Last attempt',
    states: {
      delivered: 'Delivered',
      waiting: 'Waiting',
      sending: 'Sending',
      exhausted: 'Given up',
      unknown: 'Unknown',
    } satisfies Record<SupportDelivery['state'], string>,
  },
  requests: { request: 'Request', duration: 'Duration', time: 'Time' },
  templates: { key: 'Key', registration: 'Registration' },
}
