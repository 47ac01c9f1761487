import type { Environment, Overview } from '@vidimus/contract'
import { plural } from '../plural.ts'

export type OverviewTexts = typeof overview

export const overview = {
  title: 'Overview',
  descriptions: {
    test: 'The test environment',
    live: 'The live environment',
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
  warnings: {
    label: 'Needs attention: {count}',
    delivery:
      'Only {percent} of webhook attempts of the last 24 hours succeeded; {waiting} events are waiting.',
    open_alerts: plural({ one: '{count} open alert.', other: '{count} open alerts.' }),
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
    registration_expired:
      'The registration “{name}” expired on {day}. Wallets warn of requests under it or refuse them.',
    registration_expires: 'The registration “{name}” expires on {day}. Renew it with your registrar.',
    registration_refused:
      'The registration “{name}” is not valid any more. Wallets warn of requests under it or refuse them.',
    trust_list_expired:
      'The trust list {url} has expired. Credentials from its issuers are no longer trusted.',
    trust_list_expires: 'The trust list {url} could not be refreshed and will expire soon.',
    key_expires: 'The key “{name}” expires on {day}. Create its replacement before then.',
  },
}
