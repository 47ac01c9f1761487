export { type Log, openLog } from './log.ts'
export { type Metrics, openMetrics, startAtZero } from './metrics.ts'
export { type Span, endWith, writeTraceparent } from './spans.ts'
export { openTracing, runShared, traceRound, traced, tracing, within } from './tracing.ts'
