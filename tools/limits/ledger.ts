import { doubt_ms } from '../../apps/service/src/engine/ledger/ledger.ts'
import { pendingBatch, retention_days } from '../../apps/service/src/engine/ledger/files/compare.ts'
import { storageTimeout_ms } from '../../apps/service/src/engine/ledger/files/open-folder.ts'
import { noteRetention_days } from '../../apps/service/src/engine/ledger/files/confirm.ts'
import { maxBatch, maxFile_bytes, maxWaiting } from '../../apps/service/src/engine/ledger/files/writer.ts'
import type { Limit } from './limit.ts'

const folder = 'apps/service/src/engine/ledger'

export const ledgerLimits: readonly Limit[] = [
  {
    what: 'size of a file of the erasure ledger',
    value: maxFile_bytes,
    unit: 'bytes',
    per: 'file',
    whenExceeded: 'a new file follows',
    name: 'maxFile_bytes',
    file: `${folder}/files/writer.ts`,
  },
  {
    what: 'how long entries of the erasure ledger are kept',
    value: retention_days,
    unit: 'days',
    per: 'file',
    whenExceeded: 'the file is removed',
    name: 'retention_days',
    file: `${folder}/files/compare.ts`,
  },
  {
    what: 'how long notes of the erasure ledger are kept',
    value: noteRetention_days,
    unit: 'days',
    per: 'file',
    whenExceeded: 'the file is removed',
    name: 'noteRetention_days',
    file: `${folder}/files/confirm.ts`,
  },
  {
    what: 'wait for the storage of the erasure ledger',
    value: storageTimeout_ms,
    unit: 'ms',
    per: 'operation',
    whenExceeded: '503 `overloaded`; at once while the operation still hangs',
    name: 'storageTimeout_ms',
    file: `${folder}/files/open-folder.ts`,
  },
  {
    what: 'lines written to the erasure ledger together',
    value: maxBatch,
    unit: 'lines',
    per: 'write',
    whenExceeded: 'the next write takes them',
    name: 'maxBatch',
    file: `${folder}/files/writer.ts`,
  },
  {
    what: 'lines waiting to be written to the erasure ledger',
    value: maxWaiting,
    unit: 'lines',
    per: 'process',
    whenExceeded: '503 `overloaded`; notes are dropped',
    name: 'maxWaiting',
    file: `${folder}/files/writer.ts`,
  },
  {
    what: 'time after which an entry of the erasure ledger without an outcome is completed',
    value: doubt_ms,
    unit: 'ms',
    per: 'entry',
    whenExceeded: 'the worker completes it',
    name: 'doubt_ms',
    file: `${folder}/ledger.ts`,
  },
  {
    what: 'entries of the erasure ledger that are read or counted at a time',
    value: pendingBatch,
    unit: 'entries',
    per: 'comparison',
    whenExceeded: 'the rest follows; the metric shows this number',
    name: 'pendingBatch',
    file: `${folder}/files/compare.ts`,
  },
]
