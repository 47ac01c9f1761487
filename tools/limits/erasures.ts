import { writeRateLimits } from '../../apps/service/src/engine/limits/limiter.ts'
import { replyJitter_ms, replyStep_ms } from '../../apps/service/src/holder/erasure/ask-for-erasure.ts'
import { browserProof_seconds, maxBrowserProofs } from '../../apps/service/src/holder/erasure/erasure-code.ts'
import { maxCompared } from '../../apps/service/src/verifications/erasure-requests/erase-matches.ts'
import { comparedRows } from '../../apps/service/src/verifications/erasure-requests/store.ts'
import type { Limit } from './limit.ts'

const comparing = 'apps/service/src/verifications/erasure-requests'
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
    what: 'verifications that one address creates there, to prove who somebody is without a code',
    value: writeRateLimits.erasure_day.requests,
    unit: 'verifications',
    per: 'tenant, address and day',
    whenExceeded: 'a page that says so (429)',
    name: 'writeRateLimits.erasure_day.requests',
    file: limiter,
  },
  {
    what: 'completed verifications that are compared with who has no code',
    value: maxCompared,
    unit: 'verifications',
    per: 'request of a holder',
    whenExceeded: 'the others stay, and the audit entry says so',
    name: 'maxCompared',
    file: `${comparing}/erase-matches.ts`,
  },
  {
    what: 'of these, how many a statement reads',
    value: comparedRows,
    unit: 'verifications',
    per: 'statement',
    whenExceeded: 'another statement reads the next ones',
    name: 'comparedRows',
    file: `${comparing}/store.ts`,
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
