import { writeRateLimits } from '../../apps/service/src/engine/limits/limiter.ts'
import { replyJitter_ms, replyStep_ms } from '../../apps/service/src/holder/erasure/ask-for-erasure.ts'
import { browserProof_seconds, maxBrowserProofs } from '../../apps/service/src/holder/erasure/erasure-code.ts'
import type { Limit } from './limit.ts'

const code = 'apps/service/src/holder/erasure/erasure-code.ts'
const limiter = 'apps/service/src/engine/limits/limiter.ts'

export const erasureLimits: readonly Limit[] = [
  {
    what: 'codes that one address enters on the page for erasures',
    value: writeRateLimits.erasure.requests,
    unit: 'codes',
    per: 'tenant, address and minute',
    whenExceeded: 'a page that says so (429)',
    name: 'writeRateLimits.erasure.requests',
    file: limiter,
  },
  {
    what: 'codes that all addresses enter there',
    value: writeRateLimits.erasure_tenant.requests,
    unit: 'codes',
    per: 'tenant and minute',
    whenExceeded: 'a page that says so (429)',
    name: 'writeRateLimits.erasure_tenant.requests',
    file: limiter,
  },
  {
    what: 'time after which every code is answered',
    value: replyStep_ms,
    unit: 'ms',
    per: 'code',
    whenExceeded: 'it is answered at the end of the next second',
    name: 'replyStep_ms',
    file: 'apps/service/src/holder/erasure/ask-for-erasure.ts',
  },
  {
    what: 'random time after that',
    value: replyJitter_ms,
    unit: 'ms',
    per: 'code',
    whenExceeded: 'no longer is added',
    name: 'replyJitter_ms',
    file: 'apps/service/src/holder/erasure/ask-for-erasure.ts',
  },
  {
    what: 'verifications whose code a browser can get',
    value: maxBrowserProofs,
    unit: 'verifications',
    per: 'browser',
    whenExceeded: 'the oldest is forgotten',
    name: 'maxBrowserProofs',
    file: code,
  },
  {
    what: 'time for which a browser can get a code',
    value: browserProof_seconds,
    unit: 's',
    per: 'browser',
    whenExceeded: 'the card has no code',
    name: 'browserProof_seconds',
    file: code,
  },
]
