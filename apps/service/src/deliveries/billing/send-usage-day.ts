import type { UsageDayPayload } from '@vidimus/contract'
import { countFinalUsage, readFinalUsage } from '../../accounts/index.ts'
import type { Context } from '../../engine/context.ts'
import { signMessage } from '../webhooks/compose.ts'
import type { MessageSender } from '../webhooks/deliver/senders.ts'
import type { ClaimedUsageDay } from '../webhooks/event.ts'
import { describeOutcome } from '../webhooks/log/describe-outcome.ts'
import { countParts, maxUsageRows } from './queue-usage-day.ts'

/** The delays between attempts: three days. Afterwards `vidimus admin usage --days` has the same rows. */
export const usageBackoff_seconds = [60, 300, 1800, 7200, ...Array.from({ length: 12 }, () => 21_600)]

/** A day of many tenants is some megabytes. Shorter than the lease of an event. */
const limits = { timeout_ms: 20_000, max_response_bytes: 16 * 1024 }

type BillingContext = Pick<Context, 'billingSecret' | 'config' | 'db' | 'egress' | 'log'>

/** How the webhook queue delivers the usage of days. A receiver that was removed from the configuration meanwhile gets nothing. */
export function usageDaySender(ctx: BillingContext): MessageSender<ClaimedUsageDay> {
  return {
    send: (event) => sendUsageDay(ctx, event),
    async onRecorded({ verification_day: day, attempt }, { outcome, error, wait_seconds }) {
      if (outcome === 'delivered') return
      if (wait_seconds === null)
        ctx.log.error({ day, attempt, error }, 'the usage of a day could not be delivered')
      else ctx.log.info({ day, attempt, error }, 'the usage of a day was not delivered and will be retried')
    },
  }
}

async function sendUsageDay(
  { config, db, egress, billingSecret }: BillingContext,
  { verification_id: event_id, verification_day: day, attempt, now }: ClaimedUsageDay,
) {
  const url = config.BILLING_URL
  if (url === undefined || billingSecret === undefined)
    return conclude({ delivered: false, error: 'BILLING_URL is not set', duration_ms: 0 }, [])
  const part = Number(event_id.slice(event_id.lastIndexOf('_') + 1))
  const payload: UsageDayPayload = {
    type: 'usage.day.final',
    cell: config.CELL,
    day,
    part,
    parts: countParts(await countFinalUsage(db, day)),
    usage: await readFinalUsage(db, { day, offset: (part - 1) * maxUsageRows, limit: maxUsageRows }),
    sent_at: now,
  }
  const message = signMessage(payload, { event_id, attempt, secrets: [billingSecret] })
  const response = await egress.request({
    ...limits,
    method: 'POST',
    url,
    compose: (write) => write(message),
  })
  if (response.outcome === 'withdrawn') throw new Error('The usage was composed but not sent.')
  const { outcome, error, duration_ms } = describeOutcome(response)
  return conclude({ delivered: outcome === 'delivered', error, duration_ms }, usageBackoff_seconds)
}

type Concluded = { delivered: boolean; error: string | null; duration_ms: number }

function conclude(concluded: Concluded, backoff_seconds: readonly number[]) {
  return { outcome: 'concluded', ...concluded, backoff_seconds } as const
}
