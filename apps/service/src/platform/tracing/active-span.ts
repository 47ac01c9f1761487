import { AsyncLocalStorage } from 'node:async_hooks'
import { nameStatement } from './name-statement.ts'
import type { SpanSource } from './open-span-source.ts'
import type { Span, Tracer } from './tracing.ts'

/** What the current code belongs to. An unsampled request that creates a session has bytes and no span. */
export type Scope = { span: Span | undefined; session_bytes?: Buffer | undefined }

export type ActiveSpan = Pick<
  Tracer,
  'active' | 'within' | 'startSpan' | 'startStatement' | 'takeSessionBytes'
> & {
  /** Runs work, and whatever it calls, in a scope. */
  run<Result>(scope: Scope, work: () => Result): Result
}

/** The span that the current code runs in, through its asynchronous calls, and the spans below it. */
export function openActiveSpan(source: SpanSource): ActiveSpan {
  const scopes = new AsyncLocalStorage<Scope>()

  const active: Tracer['active'] = () => {
    const span = scopes.getStore()?.span
    return span?.isRecording() === true ? span : undefined
  }

  const startSpan: Tracer['startSpan'] = (name, options) => {
    const parent = active()
    return parent && source.startBelow(parent.spanContext(), name, options)
  }

  return {
    active,
    startSpan,
    run: (scope, work) => scopes.run(scope, work),
    within: (span, work) => scopes.run({ span }, work),
    startStatement(texts) {
      if (active() === undefined) return undefined
      const name = nameStatement(texts)
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
      return startSpan(`sql ${name}`, { kind: 'client', attributes })
    },
    takeSessionBytes() {
      const scope = scopes.getStore()
      const bytes = scope?.session_bytes
      if (scope !== undefined) scope.session_bytes = undefined
      return bytes
    },
  }
}
