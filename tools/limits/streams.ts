import { maxStreams } from '../../apps/service/src/dashboard/changes/watch-changes.ts'
import { writeTimeout_ms } from '../../apps/service/src/engine/http/mount-stream.ts'
import { listenBounds } from '../../apps/service/src/deliveries/webhooks/listen/listen.ts'
import { maxPhaseStreams, phaseInterval_ms } from '../../apps/service/src/holder/page/stream-phases.ts'
import type { Limit } from './limit.ts'

const dashboard = {
  file: 'apps/service/src/dashboard/changes/watch-changes.ts',
  whenExceeded: '503 `overloaded`',
}
const listen = { file: 'apps/service/src/deliveries/webhooks/listen/listen.ts' }

const phases = { unit: 'streams', file: 'apps/service/src/holder/page/stream-phases.ts' }

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
    value: maxStreams.tenant,
    unit: 'streams',
    per: 'tenant and process',
    name: 'maxStreams.tenant',
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
    file: 'apps/service/src/engine/http/mount-stream.ts',
  },
  {
    what: "event streams of the holder's page",
    value: maxPhaseStreams.address,
    per: 'address and process',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxPhaseStreams.address',
    ...phases,
  },
  {
    what: "event streams of the holder's page",
    value: maxPhaseStreams.verification,
    per: 'verification and process',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxPhaseStreams.verification',
    ...phases,
  },
  {
    what: "event streams of the holder's page",
    value: maxPhaseStreams.all,
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'maxPhaseStreams.all',
    ...phases,
  },
  {
    what: "time between two readings of a verification's phase",
    value: phaseInterval_ms,
    per: 'process',
    whenExceeded: 'all streams read together',
    name: 'phaseInterval_ms',
    ...phases,
    unit: 'ms',
  },
]
