import { copyLimits } from '../../apps/service/src/operations/tenant-moves/copy.ts'
import { lock_ms, maxLockAttempts, maxWait_ms } from '../../apps/service/src/operations/tenant-moves/hold.ts'
import { maxRoutesPerPage } from '../../apps/service/src/operations/tenant-moves/move.ts'
import { maxAttempts } from '../../apps/service/src/operations/tenant-moves/lock.ts'
import type { Limit } from './limit.ts'

const folder = 'apps/service/src/operations/tenant-moves'
const hold = { per: 'table', file: `${folder}/hold.ts` }

export const tenantMoveLimits: readonly Limit[] = [
  {
    what: 'wait for the lock of a table that is to be held',
    value: lock_ms,
    unit: 'ms',
    whenExceeded: 'tried again after a pause',
    name: 'lock_ms',
    ...hold,
  },
  {
    what: 'attempts to lock it',
    value: maxLockAttempts,
    unit: 'attempts',
    whenExceeded: 'the command fails and can be repeated',
    name: 'maxLockAttempts',
    ...hold,
  },
  {
    what: 'wait for older transactions, and for webhooks that are being sent',
    value: maxWait_ms,
    unit: 'ms',
    per: 'move',
    whenExceeded: 'the command fails and can be repeated',
    name: 'maxWait_ms',
    file: `${folder}/hold.ts`,
  },
  {
    what: 'attempts to become the only process that moves a tenant',
    value: maxAttempts,
    unit: 'attempts',
    per: 'move',
    whenExceeded: 'the command fails and can be repeated',
    name: 'maxAttempts',
    file: `${folder}/lock.ts`,
  },
  {
    what: 'time to read, write or compare a part of a table',
    value: copyLimits.statement_ms,
    unit: 'ms',
    per: 'statement',
    whenExceeded: 'the copy is rolled back, and the tenant stays where it is',
    name: 'copyLimits.statement_ms',
    file: `${folder}/copy.ts`,
  },
  {
    what: 'routes of moved tenants that are read at a time',
    value: maxRoutesPerPage,
    unit: 'routes',
    per: 'statement',
    whenExceeded: 'the next ones follow',
    name: 'maxRoutesPerPage',
    file: `${folder}/move.ts`,
  },
]
