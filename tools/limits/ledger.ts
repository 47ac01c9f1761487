import * as ledger from '../../apps/service/src/engine/ledger/errors.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/engine/ledger/errors.ts'

export const ledgerLimits: readonly Limit[] = [
  {
    what: 'size of a file of the erasure ledger',
    value: ledger.maxFile_bytes,
    unit: 'bytes',
    per: 'file',
    whenExceeded: 'a new file follows',
    name: 'maxFile_bytes',
    file,
  },
  {
    what: 'how long entries of the erasure ledger are kept',
    value: ledger.retention_days,
    unit: 'days',
    per: 'file',
    whenExceeded: 'the file is removed',
    name: 'retention_days',
    file,
  },
  {
    what: 'how long notes of the erasure ledger are kept',
    value: ledger.noteRetention_days,
    unit: 'days',
    per: 'file',
    whenExceeded: 'the file is removed',
    name: 'noteRetention_days',
    file,
  },
  {
    what: 'wait for the storage of the erasure ledger',
    value: ledger.storageTimeout_ms,
    unit: 'ms',
    per: 'operation',
    whenExceeded: '503 `overloaded`; at once while the operation still hangs',
    name: 'storageTimeout_ms',
    file,
  },
  {
    what: 'lines written to the erasure ledger together',
    value: ledger.maxBatch,
    unit: 'lines',
    per: 'write',
    whenExceeded: 'the next write takes them',
    name: 'maxBatch',
    file,
  },
  {
    what: 'lines waiting to be written to the erasure ledger',
    value: ledger.maxWaiting,
    unit: 'lines',
    per: 'process',
    whenExceeded: '503 `overloaded`; notes are dropped',
    name: 'maxWaiting',
    file,
  },
  {
    what: 'time after which an entry of the erasure ledger without an outcome is completed',
    value: ledger.doubt_ms,
    unit: 'ms',
    per: 'entry',
    whenExceeded: 'the worker completes it',
    name: 'doubt_ms',
    file,
  },
  {
    what: 'entries of the erasure ledger that are read or counted at a time',
    value: ledger.pendingBatch,
    unit: 'entries',
    per: 'comparison',
    whenExceeded: 'the rest follows; the metric shows this number',
    name: 'pendingBatch',
    file,
  },
]
