import { canaryRun_ms } from '../../apps/service/src/commands/canary/service-client.ts'
import { killAfter_ms } from '../../apps/service/src/commands/serve.ts'
import * as database from '../../apps/service/src/platform/db/time-limits.ts'
import { bounds as redis } from '../../apps/service/src/platform/redis/spend.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/platform/db/time-limits.ts'

export const databaseLimits: readonly Limit[] = [
  {
    what: 'time for a statement, on the server',
    value: database.statement_ms,
    unit: 'ms',
    per: 'statement',
    beyond: '503 `overloaded`',
    name: 'statement_ms',
    file,
  },
  {
    what: 'wait for a lock, on the server',
    value: database.lock_ms,
    unit: 'ms',
    per: 'statement',
    beyond: '503 `overloaded`',
    name: 'lock_ms',
    file,
  },
  {
    what: 'idle within a transaction, on the server',
    value: database.idleInTransaction_ms,
    unit: 'ms',
    per: 'transaction',
    beyond: '503 `overloaded`',
    name: 'idleInTransaction_ms',
    file,
  },
  {
    what: 'wait for a database connection',
    value: database.connect_ms,
    unit: 'ms',
    per: 'statement or transaction',
    beyond: '503 `overloaded`',
    name: 'connect_ms',
    file,
  },
  {
    what: 'wait for the answer to a statement or commit',
    value: database.query_ms,
    unit: 'ms',
    per: 'statement',
    beyond: '503 `overloaded`; the connection is closed',
    name: 'query_ms',
    file,
  },
  {
    what: 'wait for a database that has fallen silent',
    value: database.probe_ms,
    unit: 'ms',
    per: 'process',
    beyond: '503 `overloaded`',
    name: 'probe_ms',
    file,
  },
  {
    what: 'wait for connections in use when closing',
    value: database.close_ms,
    unit: 'ms',
    per: 'process',
    beyond: 'the connections are closed',
    name: 'close_ms',
    file,
  },
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
  {
    what: 'time for a run of `vidimus canary`',
    value: canaryRun_ms,
    unit: 'ms',
    per: 'run',
    beyond: 'the step fails, exit status 1',
    name: 'canaryRun_ms',
    file: 'apps/service/src/commands/canary/service-client.ts',
  },
]
