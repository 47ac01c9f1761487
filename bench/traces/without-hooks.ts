import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'

const db = 'platform/db/open.ts'

/**
 * Takes every place that asks for the tracer out of the source, as it is loaded: what is left is the program as if there were no traces.
 * A text that the source no longer has is an error, so that this list cannot fall behind. What a creation does not pass stays.
 */
export const withoutHooks: readonly InjectedFault[] = [
  {
    file: db,
    find: 'await endWith(startStatement(statement), runSingle<Row>(pool, statement))',
    replacement: 'await runSingle<Row>(pool, statement)',
  },
  {
    file: db,
    find: 'await endWith(startStatement(statement), runSingle(pool, statement))',
    replacement: 'await runSingle(pool, statement)',
  },
  {
    file: db,
    find: `      const span = startStatement(statement)
      return (await endWith(span, pooled.query<Row>(toStatement(statement), limit_ms))).rows`,
    replacement: '      return (await pooled.query<Row>(toStatement(statement), limit_ms)).rows',
  },
  {
    file: db,
    find: `      const span = startStatement(statement)
      return (await endWith(span, pooled.query(toStatement(statement), limit_ms))).rowCount ?? 0`,
    replacement: '      return (await pooled.query(toStatement(statement), limit_ms)).rowCount ?? 0',
  },
  {
    file: db,
    find: "await endWith(startCommand('begin'), pooled.query(['begin', ...limitSettings(limits)].join(';')))",
    replacement: "await pooled.query(['begin', ...limitSettings(limits)].join(';'))",
  },
  {
    file: db,
    find: "await endWith(startCommand('commit'), pooled.query('commit'))",
    replacement: "await pooled.query('commit')",
  },
  {
    file: 'platform/coalesce.ts',
    find: 'span: tracing.tracer?.active(), ',
    replacement: '',
  },
  {
    file: 'platform/coalesce.ts',
    find: 'if (tracing.tracer === undefined) return options.run(calls)',
    replacement: 'return options.run(calls)',
  },
  {
    file: 'platform/redis/shared-counter.ts',
    find: `await endWith(
        tracing.tracer?.startSpan('redis countRequests', redisSpan),
        countRequests(counters.size, ...counters.keys(), limits, requestList),
      )`,
    replacement: 'await countRequests(counters.size, ...counters.keys(), limits, requestList)',
  },
  {
    file: 'platform/http/server/server.ts',
    find: 'if (tracing.tracer !== undefined) traceRequests(app, tracing.tracer)',
    replacement: '',
  },
  {
    file: 'platform/http/trace-requests.ts',
    find: 'return tracing.tracer === undefined ? undefined : spans.get(request)?.spanContext().traceId',
    replacement: 'return undefined',
  },
  {
    file: 'platform/log.ts',
    find: `  const span = tracing.tracer?.active()
  return span === undefined ? fields : { ...fields, trace_id: span.spanContext().traceId }`,
    replacement: '  return fields',
  },
  {
    file: 'verifications/create/create.ts',
    find: ', tracing.tracer?.takeSessionBytes())',
    replacement: ')',
  },
  {
    file: 'verifications/create/create.ts',
    find: 'tracing.tracer?.beginSession(creation.id)',
    replacement: '',
  },
  {
    file: 'platform/thread-pool.ts',
    find: 'span: tracing.tracer?.active(),',
    replacement: 'span: undefined,',
  },
]
