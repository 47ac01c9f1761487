import { limits as attempt } from '../../apps/service/src/webhooks/deliver/attempt.ts'
import { writeRateLimits } from '../../apps/service/src/platform/limits/rate-limits.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/webhooks/deliver/attempt.ts'

export const webhookLimits: readonly Limit[] = [
  {
    what: 'test events in a minute',
    value: writeRateLimits.test_event.requests,
    unit: 'events',
    per: 'tenant',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'writeRateLimits.test_event.requests',
    file: 'apps/service/src/platform/limits/rate-limits.ts',
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
]
