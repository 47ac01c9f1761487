/** What a `traceparent` header says (W3C Trace Context, version 00). */
export type Traceparent = { trace_id: string; span_id: string; sampled: boolean }

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Undefined if the header is absent or invalid: ids of zeros are. */
export function readTraceparent(header: string | string[] | undefined): Traceparent | undefined {
  const [, trace_id = '', span_id = '', flags = ''] =
    (typeof header === 'string' && pattern.exec(header)) || []
  if (/^0*$/.test(trace_id) || /^0*$/.test(span_id)) return undefined
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId }: { traceId: string; spanId: string }): string {
  return `00-${traceId}-${spanId}-01`
}
