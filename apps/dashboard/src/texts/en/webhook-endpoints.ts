import type { WebhookEventType } from '@vidimus/contract'
import { plural } from '../plural.ts'

export type WebhookEndpointsTexts = typeof webhookEndpoints

export const webhookEndpoints = {
  tab: 'Endpoints',
  create: 'Add endpoint',
  caption: 'Webhook endpoints, newest first',
  endpoint: 'Endpoint',
  events: 'Events',
  event_types: {
    'verification.completed': 'Completed',
    'verification.failed': 'Failed',
    'verification.expired': 'Expired',
    'verification.cancelled': 'Cancelled',
    'erasure.requested': 'Erasure requested',
    'erasure.executed': 'Erasure done',
  } satisfies Record<WebhookEventType, string>,
  event_hints: {
    'verification.completed': 'The response fulfils the request.',
    'verification.failed': 'It does not, or the holder declined.',
    'verification.expired': 'Nobody responded in time. Sent within a minute.',
    'verification.cancelled': 'You, a till or the holder ended it. Without this event it is sent as expired.',
    'erasure.requested': 'A holder asks you to erase a verification.',
    'erasure.executed': 'What a holder asked for is erased here. Erase your copies.',
  } satisfies Record<WebhookEventType, string>,
  states: {
    enabled: 'Enabled',
    failing: 'Failing since {at}',
    disabled: 'Disabled',
    disabled_failing: 'Disabled: all attempts failed for five days',
  },
  buttons: { edit: 'Edit', rotate: 'New secret', enable: 'Enable', disable: 'Disable', remove: 'Delete' },
  labels: {
    edit: 'Edit {name}',
    rotate: 'New secret for {name}',
    enable: 'Enable {name}',
    disable: 'Disable {name}',
    remove: 'Delete {name}',
  },
  enabled: 'Endpoint enabled.',
  disabled: 'Endpoint disabled.',
  empty: {
    title: 'No endpoints yet',
    what: 'An endpoint is a URL of your server that receives the events of all verifications in this environment. It has its own secret, and you can disable it at any time.',
    beside: 'A verification with its own {member} is also sent there.',
  },
  form: {
    create_title: 'Add endpoint',
    edit_title: 'Edit endpoint',
    url: 'URL',
    url_hint: 'Public addresses only, with https.',
    url_unencrypted: 'http is not encrypted, so anyone on the way can read the claims. Use https.',
    url_invalid: 'Enter an http or https URL.',
    description: 'Description',
    description_hint: 'For yourself, such as “Orders”. Optional.',
    events_missing: 'Select at least one event.',
    save: 'Save endpoint',
    saved: 'Endpoint saved.',
  },
  secret: {
    title: 'Copy the secret now',
    description: 'Your server verifies messages to this endpoint with it. It is shown only once.',
    copy: 'Copy secret',
    copied: 'I have copied it',
    rotate_title: 'Create a new secret?',
    rotate_description:
      'The new secret is shown only once. For 24 hours messages carry both signatures, so nothing breaks while you update your server.',
    rotate_submit: 'Create secret',
    overlap: 'Both secrets sign until {at}',
  },
  delete_dialog: {
    title: 'Delete this endpoint?',
    description:
      'Nothing more is sent to {url}, and what is waiting for it is dropped. The log of deliveries stays.',
    submit: 'Delete endpoint',
    done: 'Endpoint deleted.',
  },
  filter: {
    receiver: 'Receiver',
    session: 'URL of the verification',
    event: 'Event',
    from: 'From',
    until: 'Until',
  },
  response: {
    title: 'Response body',
    description:
      'The first 2 kB that your server answered to this attempt. Kept as long as the result. It may repeat claims.',
    show: 'Show response',
    copy: 'Copy response',
  },
  resend: {
    button: 'Resend failed…',
    title: 'Resend failed events?',
    description: 'Every event whose last attempt failed since this time is sent again, about 50 a second.',
    since: 'Failed since',
    submit: 'Resend',
    requested: 'Failed events are being resent.',
    running: plural({
      one: 'Resending failed events: {count} queued so far.',
      other: 'Resending failed events: {count} queued so far.',
    }),
    finished: plural({
      one: 'Last resend: {count} event, finished {at}.',
      other: 'Last resend: {count} events, finished {at}.',
    }),
  },
}
