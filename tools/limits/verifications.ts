import { MAX_CLAIMS, MAX_CREDENTIALS } from '../../packages/protocol/src/dcql/bound.ts'
import { bounds as verifier } from '../../apps/service/src/verifications/open-verifier.ts'
import { limits as statusLists } from '../../apps/service/src/trust/status/fetch.ts'
import { limits as trustLists } from '../../apps/service/src/trust/lists/fetch.ts'
import type { Limit } from './limit.ts'

const query = { per: 'query', file: 'packages/protocol/src/dcql/bound.ts', beyond: '400 `invalid_request`' }
const threads = { file: 'apps/service/src/verifications/open-verifier.ts', beyond: '503 `overloaded`' }
const status = { file: 'apps/service/src/trust/status/fetch.ts', per: 'status list' }
const trust = { file: 'apps/service/src/trust/lists/fetch.ts', per: 'trust list' }

export const verificationLimits: readonly Limit[] = [
  { what: 'credentials', value: MAX_CREDENTIALS, unit: 'credentials', name: 'MAX_CREDENTIALS', ...query },
  {
    what: 'claims over all credentials',
    value: MAX_CLAIMS,
    unit: 'claims',
    name: 'MAX_CLAIMS',
    ...query,
  },
  {
    what: 'time to check a wallet response',
    value: verifier.timeLimit_ms,
    unit: 'ms',
    per: 'wallet response',
    name: 'bounds.timeLimit_ms',
    ...threads,
  },
  {
    what: 'wallet responses waiting for a thread',
    value: verifier.maxWaiting,
    unit: 'responses',
    per: 'process',
    name: 'bounds.maxWaiting',
    ...threads,
  },
  {
    what: 'time to fetch',
    value: statusLists.timeout_ms,
    unit: 'ms',
    beyond: 'revocation is unknown',
    name: 'limits.timeout_ms',
    ...status,
  },
  {
    what: 'size',
    value: statusLists.max_response_bytes,
    unit: 'bytes',
    beyond: 'revocation is unknown',
    name: 'limits.max_response_bytes',
    ...status,
  },
  {
    what: 'time to fetch',
    value: trustLists.timeout_ms,
    unit: 'ms',
    beyond: 'the previous copy is kept',
    name: 'limits.timeout_ms',
    ...trust,
  },
  {
    what: 'size',
    value: trustLists.max_response_bytes,
    unit: 'bytes',
    beyond: 'the previous copy is kept',
    name: 'limits.max_response_bytes',
    ...trust,
  },
]
