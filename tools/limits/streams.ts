import { maxStreams } from '../../apps/service/src/dashboard/open-stream.ts'
import { writeTimeout_ms } from '../../apps/service/src/platform/http/mount-stream.ts'
import { listenBounds } from '../../apps/service/src/webhooks/listen/listen.ts'
import type { Limit } from './limit.ts'

const dashboard = { file: 'apps/service/src/dashboard/open-stream.ts', whenExceeded: '503 `overloaded`' }
const listen = { file: 'apps/service/src/webhooks/listen/listen.ts' }

export const streamLimits: readonly Limit[] = [
  {
    what: 'event streams of the dashboard',
    value: maxStreams.each,
    unit: 'streams',
    per: 'member and process',
    name: 'maxStreams.each',
    ...dashboard,
  },
  {
    what: 'event streams of the dashboard',
    value: maxStreams.all,
    unit: 'streams',
    per: 'process',
    name: 'maxStreams.all',
    ...dashboard,
  },
  {
    what: 'listeners (`vidimus listen`)',
    value: listenBounds.maxListenersPerTenant,
    unit: 'listeners',
    per: 'tenant',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'listenBounds.maxListenersPerTenant',
    ...listen,
  },
  {
    what: 'listeners (`vidimus listen`)',
    value: listenBounds.maxStreams,
    unit: 'streams',
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'listenBounds.maxStreams',
    ...listen,
  },
  {
    what: 'time for a listener to read an event',
    value: writeTimeout_ms,
    unit: 'ms',
    per: 'stream',
    whenExceeded: 'the stream ends',
    name: 'writeTimeout_ms',
    file: 'apps/service/src/platform/http/mount-stream.ts',
  },
]
