import { canaryTimeout_ms } from '../../apps/service/src/program/commands/canary/service-client.ts'
import {
  exitTimeout_ms,
  shutdownTimeout_ms,
} from '../../apps/service/src/program/commands/run/until-shutdown.ts'
import { maxRows } from '../../apps/service/src/program/commands/service-logs/slow-requests.ts'
import { maxScrapers, scrapeTimeout_ms } from '../../apps/service/src/engine/http/server/metrics-server.ts'
import { failureLogInterval_ms, maxRetry_ms } from '../../apps/service/src/engine/scheduling/loops.ts'
import { maxOverdue_seconds } from '../../apps/service/src/engine/observability/loop-progress.ts'
import { defaultMaxSpans } from '../../apps/service/src/engine/observability/spans.ts'
import { spanBounds } from '../../apps/service/src/engine/observability/tracing/span-queue.ts'
import {
  finalWrite_ms,
  maxWaitingCharacters,
} from '../../apps/service/src/engine/observability/standard-error.ts'
import { finishTimeout_ms } from '../../apps/service/src/program/worker.ts'
import type { Limit } from './limit.ts'

export const processLimits: readonly Limit[] = [
  {
    what: 'time for `serve` and `work` to stop',
    value: shutdownTimeout_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: 'the process exits with 1',
    name: 'shutdownTimeout_ms',
    file: 'apps/service/src/program/commands/run/until-shutdown.ts',
  },
  {
    what: 'time for `serve` and `work` to exit once everything is closed, whatever a library still waits for',
    value: exitTimeout_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: 'the process exits with its status',
    name: 'exitTimeout_ms',
    file: 'apps/service/src/program/commands/run/until-shutdown.ts',
  },
  {
    what: 'tenants, or routes of one, that `vidimus admin logs slow` compares',
    value: maxRows,
    unit: 'rows',
    per: 'command',
    whenExceeded: 'those that come later in the log are counted and not listed',
    name: 'maxRows',
    file: 'apps/service/src/program/commands/service-logs/slow-requests.ts',
  },
  {
    what: 'delay before a failed loop of `work` runs again',
    value: maxRetry_ms,
    unit: 'ms',
    per: 'loop',
    whenExceeded: 'it does not grow further, unless the interval of the loop is longer',
    name: 'maxRetry_ms',
    file: 'apps/service/src/engine/scheduling/loops.ts',
  },
  {
    what: 'time between two log lines of a loop that keeps failing',
    value: failureLogInterval_ms,
    unit: 'ms',
    per: 'loop',
    whenExceeded: 'the next line has the number of failures',
    name: 'failureLogInterval_ms',
    file: 'apps/service/src/engine/scheduling/loops.ts',
  },
  {
    what: 'time for the running loops of `work` to finish at shutdown',
    value: finishTimeout_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: 'abandoned; the next worker continues the work',
    name: 'finishTimeout_ms',
    file: 'apps/service/src/program/worker.ts',
  },
  {
    what: 'time by which a loop of `work` may be late',
    value: maxOverdue_seconds,
    unit: 'seconds',
    per: 'loop',
    whenExceeded: '`/readyz` of the worker is 503',
    name: 'maxOverdue_seconds',
    file: 'apps/service/src/engine/observability/loop-progress.ts',
  },
  {
    what: 'time for a metrics scrape',
    value: scrapeTimeout_ms,
    unit: 'ms',
    per: 'connection',
    whenExceeded: 'closed',
    name: 'scrapeTimeout_ms',
    file: 'apps/service/src/engine/http/server/metrics-server.ts',
  },
  {
    what: 'connections to the metrics port',
    value: maxScrapers,
    unit: 'connections',
    per: 'process',
    whenExceeded: 'closed',
    name: 'maxScrapers',
    file: 'apps/service/src/engine/http/server/metrics-server.ts',
  },
  {
    what: 'log output waiting for standard error',
    value: maxWaitingCharacters,
    unit: 'characters',
    per: 'process',
    whenExceeded: 'lines are dropped and counted',
    name: 'maxWaitingCharacters',
    file: 'apps/service/src/engine/observability/standard-error.ts',
  },
  {
    what: 'time for the last write of the log',
    value: finalWrite_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: 'lines are lost',
    name: 'finalWrite_ms',
    file: 'apps/service/src/engine/observability/standard-error.ts',
  },
  {
    what: 'time for a run of `vidimus admin canary`',
    value: canaryTimeout_ms,
    unit: 'ms',
    per: 'run',
    whenExceeded: 'the step fails, exit status 1',
    name: 'canaryTimeout_ms',
    file: 'apps/service/src/program/commands/canary/service-client.ts',
  },
  {
    what: 'finished spans that wait for the trace collector, by default',
    value: defaultMaxSpans,
    unit: 'spans',
    per: 'process',
    whenExceeded: 'dropped and counted',
    name: 'defaultMaxSpans',
    file: 'apps/service/src/engine/observability/spans.ts',
  },
  {
    what: 'spans of a background round that wait for its end',
    value: spanBounds.round,
    unit: 'spans',
    per: 'round',
    whenExceeded: 'dropped and counted',
    name: 'spanBounds.round',
    file: 'apps/service/src/engine/observability/tracing/span-queue.ts',
  },
  {
    what: 'links of a span',
    value: spanBounds.links,
    unit: 'links',
    per: 'span',
    whenExceeded: 'dropped',
    name: 'spanBounds.links',
    file: 'apps/service/src/engine/observability/tracing/span-queue.ts',
  },
  {
    what: 'time to export the last spans when a process stops',
    value: spanBounds.flush_ms,
    unit: 'ms',
    per: 'process',
    whenExceeded: 'dropped and counted',
    name: 'spanBounds.flush_ms',
    file: 'apps/service/src/engine/observability/tracing/span-queue.ts',
  },
]
