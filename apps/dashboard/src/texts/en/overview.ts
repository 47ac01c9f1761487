import type { Environment, Overview } from '@vidimus/contract'
import { plural } from '../plural.ts'

export type OverviewTexts = typeof overview

export const overview = {
  title: 'Overview',
  descriptions: {
    test: 'Test environment, last 7 days',
    live: 'Live environment, last 7 days',
  } satisfies Record<Environment, string>,
  checklist: {
    title: 'First steps',
    progress: '{done} of {all}',
    done: ', done',
    steps: {
      key_created: {
        title: 'Create an API key',
        description: 'Your server needs one to create verifications.',
      },
      verification_created: {
        title: 'Create a verification',
        description: 'One API call returns a QR code. In test, a sandbox persona can respond to it.',
      },
      verification_completed: {
        title: 'Complete a verification',
        description: 'Signature, issuer, holder and revocation are checked before the status is “completed”.',
      },
      webhook_delivered: {
        title: 'Receive a webhook',
        description: 'A signed message to your server, so that you need not poll.',
      },
      device_paired: { title: 'Pair a device', description: 'For checks on site, without writing code.' },
    } satisfies Record<keyof Overview['checklist'], { title: string; description: string }>,
  },
  figures: {
    created_today: 'Created today',
    of_quota: 'of {quota}, test and live combined',
    quota_share: 'Share of today’s quota',
    success_rate: 'Success rate',
    no_responses: 'No responses in 7 days',
    of_responses: plural({
      one: 'of {count} response in 7 days',
      other: 'of {count} responses in 7 days',
    }),
    completed_share: 'Share of responses that completed',
    median_time: 'Median response time',
    median_time_note: 'from creation to response',
    webhooks: 'Webhook delivery, 24 hours',
    no_webhooks: 'None sent',
    waiting: '{waiting} waiting',
    attempts: plural({ one: '{delivered} of {count} attempt', other: '{delivered} of {count} attempts' }),
    delivered_share: 'Share of attempts that succeeded',
    share: '{label}: {percent}',
  },
  outcomes: {
    title: 'Outcomes',
    days: plural({ one: 'Last {count} day', other: 'Last {count} days' }),
    days_sampled: plural({
      one: 'Last {count} day, newest verifications only',
      other: 'Last {count} days, newest verifications only',
    }),
  },
  failures: {
    title: 'Failure reasons',
    description: plural({ one: 'Most common, last {count} day', other: 'Most common, last {count} days' }),
    none: 'No failures.',
  },
  warnings: {
    label: 'Warnings',
    quota_spent: 'Today’s quota of {quota} is used up. New verifications are refused until midnight UTC.',
    quota_nearly_spent: '{used} of today’s {quota} verifications used.',
    webhooks_exhausted: plural({
      one: '{count} webhook event could not be delivered, most recently {at}.',
      other: '{count} webhook events could not be delivered, most recently {at}.',
    }),
    deliveries: 'Deliveries',
    device_revoked_by_reuse:
      '“{device}” was revoked because a used token was presented again. Its tokens may have been copied. Register it again.',
    certificate_expired:
      'The access certificate expired on {day}. Wallets refuse requests signed with an expired certificate.',
    certificate_expires:
      'The access certificate expires on {day}. Wallets refuse requests signed with an expired certificate.',
    trust_list_expired:
      'The trust list {url} has expired. Credentials from its issuers are no longer trusted.',
    trust_list_expires: 'The trust list {url} could not be refreshed and will expire soon.',
    key_expires: 'The key “{name}” expires on {day}. Create its replacement before then.',
  },
}
