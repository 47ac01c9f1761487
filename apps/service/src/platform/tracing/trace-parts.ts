import type { Keyring } from '../keyring/open.ts'
import type { ActiveSpan } from './active-span.ts'
import type { SpanSource } from './open-span-source.ts'

/** What the parts of a tracer have in common. */
export type TraceParts = {
  source: SpanSource
  current: ActiveSpan
  /** Whether the trace with this id is sampled. Every process comes to the same decision. */
  isSampled: (trace_id: string) => boolean
  /** Whether a caller whose trace is continued decides about sampling instead. */
  parentBased: boolean
  /** Whether the trace of a caller is continued, or only linked. */
  callers: 'parent' | 'link'
  keyring: Pick<Keyring, 'mac'>
}
