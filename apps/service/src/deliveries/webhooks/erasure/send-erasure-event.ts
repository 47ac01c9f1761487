import type { ErasurePayload } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { signMessage } from '../compose.ts'
import { limits, type SentOutcome } from '../deliver/attempt.ts'
import type { MessageSender } from '../deliver/senders.ts'
import type { ClaimedErasureEvent } from '../event.ts'
import { unsealSecrets } from '../secrets/secrets.ts'

/**
 * How the webhook queue delivers what endpoints learn about erasures. The content is stored, because the verification is gone when it is
 * sent; it has the id and no claim.
 */
export function erasureEventSender(
  ctx: Pick<Context, 'egress' | 'keyring' | 'log'>,
): MessageSender<ClaimedErasureEvent> {
  return {
    send: (event) => sendErasureEvent(ctx, event),
    async onRecorded({ tenant_id, attempt }, { outcome, wait_seconds }) {
      if (outcome !== 'delivered' && wait_seconds === null)
        ctx.log.warn({ tenant_id, attempt }, 'an event about an erasure could not be delivered')
    },
  }
}

async function sendErasureEvent(
  { egress, keyring }: Pick<Context, 'egress' | 'keyring'>,
  event: ClaimedErasureEvent,
): Promise<SentOutcome> {
  const { verification_id: event_id, attempt, url, now } = event
  const [secrets] = await unsealSecrets(keyring, [event])
  if (secrets === undefined) throw new Error('An event of an endpoint was claimed without its secret.')
  // Stored by the function that queued it; only the time of the attempt is added.
  const payload = { ...event.payload, sent_at: now } as ErasurePayload
  const message = signMessage(payload, { event_id, attempt, secrets })
  const response = await egress.request({
    ...limits,
    method: 'POST',
    url,
    compose: (write) => write(message),
  })
  if (response.outcome === 'withdrawn') throw new Error('The event was composed but not sent.')
  return { ...response, sent_at: now }
}
