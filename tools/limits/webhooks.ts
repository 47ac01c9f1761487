import { limits as attempt } from '../../apps/service/src/deliveries/webhooks/deliver/attempt.ts'
import { maxUsageRows } from '../../apps/service/src/deliveries/billing/queue-usage-day.ts'
import { writeRateLimits } from '../../apps/service/src/engine/limits/limiter.ts'
import { maxWebhookEndpoints } from '../../packages/contract/src/webhook-endpoints.ts'
import {
  alertAfter_minutes,
  disableAfter_days,
} from '../../apps/service/src/deliveries/webhooks/endpoints/watch-failing.ts'
import { maxFailingHosts } from '../../apps/service/src/deliveries/webhooks/deliver/queue-store.ts'
import { maxExcerpt_bytes } from '../../apps/service/src/deliveries/webhooks/log/describe-delivery.ts'
import { maxAttemptsInList } from '../../apps/service/src/deliveries/webhooks/log/list-deliveries.ts'
import { resendBounds } from '../../apps/service/src/deliveries/webhooks/resend/resend.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/deliveries/webhooks/deliver/attempt.ts'

export const webhookLimits: readonly Limit[] = [
  {
    what: "usage of a day, for the operator's billing",
    value: maxUsageRows,
    unit: 'rows',
    per: 'event',
    whenExceeded: 'the day has several events',
    name: 'maxUsageRows',
    file: 'apps/service/src/deliveries/billing/queue-usage-day.ts',
  },
  {
    what: 'test events in a minute',
    value: writeRateLimits.test_event.requests,
    unit: 'events',
    per: 'tenant',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'writeRateLimits.test_event.requests',
    file: 'apps/service/src/engine/limits/limiter.ts',
  },
  {
    what: 'a delivery attempt',
    value: attempt.timeout_ms,
    unit: 'ms',
    per: 'attempt',
    whenExceeded: 'the attempt failed; it is retried',
    name: 'limits.timeout_ms',
    file,
  },
  {
    what: 'time for the receiver to take the message',
    value: attempt.write_timeout_ms,
    unit: 'ms',
    per: 'attempt',
    whenExceeded: 'the attempt failed; it is retried',
    name: 'limits.write_timeout_ms',
    file,
  },
  {
    what: 'response of a receiver',
    value: attempt.max_response_bytes,
    unit: 'bytes',
    per: 'attempt',
    whenExceeded: 'the rest is not read',
    name: 'limits.max_response_bytes',
    file,
  },
  {
    what: 'webhook endpoints',
    value: maxWebhookEndpoints,
    unit: 'endpoints',
    per: 'tenant and environment',
    whenExceeded: '409 `too_many`',
    name: 'maxWebhookEndpoints',
    file: 'packages/contract/src/webhook-endpoints.ts',
  },
  {
    what: 'time in which every attempt to a receiver fails',
    value: alertAfter_minutes,
    unit: 'minutes',
    per: 'endpoint, or host of webhook_urls',
    whenExceeded: 'an alert is raised',
    name: 'alertAfter_minutes',
    file: 'apps/service/src/deliveries/webhooks/endpoints/watch-failing.ts',
  },
  {
    what: 'failing hosts of webhook_urls that are watched',
    value: maxFailingHosts,
    unit: 'hosts',
    per: 'tenant',
    whenExceeded: 'further hosts raise no alert',
    name: 'maxFailingHosts',
    file: 'apps/service/src/deliveries/webhooks/deliver/queue-store.ts',
  },
  {
    what: 'time in which every attempt to an endpoint fails',
    value: disableAfter_days,
    unit: 'days',
    per: 'endpoint',
    whenExceeded: 'the endpoint is disabled',
    name: 'disableAfter_days',
    file: 'apps/service/src/deliveries/webhooks/endpoints/watch-failing.ts',
  },
  {
    what: 'kept beginning of a response',
    value: maxExcerpt_bytes,
    unit: 'bytes',
    per: 'attempt',
    whenExceeded: 'the rest is not kept',
    name: 'maxExcerpt_bytes',
    file: 'apps/service/src/deliveries/webhooks/log/describe-delivery.ts',
  },
  {
    what: 'attempts of an event in the list of deliveries',
    value: maxAttemptsInList,
    unit: 'attempts',
    per: 'event',
    whenExceeded: 'the newest are listed; the page of a delivery has up to 100',
    name: 'maxAttemptsInList',
    file: 'apps/service/src/deliveries/webhooks/log/list-deliveries.ts',
  },
  {
    what: 'failed events that are queued again in a second',
    value: resendBounds.eventsPerRun,
    unit: 'events',
    per: 'request to resend',
    whenExceeded: 'the next are queued a second later',
    name: 'resendBounds.eventsPerRun',
    file: 'apps/service/src/deliveries/webhooks/resend/resend.ts',
  },
]
