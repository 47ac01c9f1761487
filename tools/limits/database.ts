import { killAfter_ms } from '../../apps/service/src/commands/serve.ts'
import { bounds as redis } from '../../apps/service/src/platform/redis/spend.ts'
import type { Limit } from './limit.ts'

export const databaseLimits: readonly Limit[] = [
  {
    what: 'rate limit checks waiting for Redis',
    value: redis.maxWaiting,
    unit: 'requests',
    per: 'process',
    beyond: 'counted in the process',
    name: 'bounds.maxWaiting',
    file: 'apps/service/src/platform/redis/spend.ts',
  },
  {
    what: 'time for `serve` to stop',
    value: killAfter_ms,
    unit: 'ms',
    per: 'process',
    beyond: 'the process exits with 1',
    name: 'killAfter_ms',
    file: 'apps/service/src/commands/serve.ts',
  },
]
