import {
  maxCopies,
  maxWaitingForAsOf,
} from '../../apps/service/src/engine/db/change-version/validated-cache.ts'
import * as database from '../../apps/service/src/engine/db/connection/session-settings.ts'
import { sharedCounterBounds as redis } from '../../apps/service/src/engine/redis/shared-counter.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/engine/db/connection/session-settings.ts'

export const databaseLimits: readonly Limit[] = [
  {
    what: 'statement time, on the server',
    value: database.statementTimeout_ms,
    unit: 'ms',
    per: 'statement',
    whenExceeded: '503 `overloaded`',
    name: 'statementTimeout_ms',
    file,
  },
  {
    what: 'wait for a lock, on the server',
    value: database.lockTimeout_ms,
    unit: 'ms',
    per: 'statement',
    whenExceeded: '503 `overloaded`',
    name: 'lockTimeout_ms',
    file,
  },
  {
    what: 'idle time in a transaction, on the server',
    value: database.idleInTransactionTimeout_ms,
    unit: 'ms',
    per: 'transaction',
    whenExceeded: '503 `overloaded`',
    name: 'idleInTransactionTimeout_ms',
    file,
  },
  {
    what: 'wait for a database connection',
    value: database.connectTimeout_ms,
    unit: 'ms',
    per: 'statement or transaction',
    whenExceeded: '503 `overloaded`',
    name: 'connectTimeout_ms',
    file,
  },
  {
    what: 'wait for the response to a statement or commit',
    value: database.queryTimeout_ms,
    unit: 'ms',
    per: 'statement',
    whenExceeded: '503 `overloaded`; the connection is closed',
    name: 'queryTimeout_ms',
    file,
  },
  {
    what: 'wait for a database that stopped responding',
    value: database.probeTimeout_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'probeTimeout_ms',
    file,
  },
  {
    what: 'wait for connections in use at shutdown',
    value: database.closeTimeout_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: 'the connections are closed',
    name: 'closeTimeout_ms',
    file,
  },
  {
    what: 'rate limit checks waiting for Redis',
    value: redis.maxWaiting,
    unit: 'requests',
    per: 'process',
    whenExceeded: 'counted in the process',
    name: 'sharedCounterBounds.maxWaiting',
    file: 'apps/service/src/engine/redis/shared-counter.ts',
  },
  {
    what: 'copies of rows that rarely change',
    value: maxCopies,
    unit: 'copies',
    per: 'kind (key, device, tenant, identity, trust, template) and process',
    whenExceeded: 'the older half is dropped and read again',
    name: 'maxCopies',
    file: 'apps/service/src/engine/db/change-version/validated-cache.ts',
  },
  {
    what: 'requests that wait for the version of the copies',
    value: maxWaitingForAsOf,
    unit: 'requests',
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'maxWaitingForAsOf',
    file: 'apps/service/src/engine/db/change-version/validated-cache.ts',
  },
]
