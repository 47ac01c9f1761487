import { randomBytes } from 'node:crypto'
import { TraceFlags, type SpanContext } from '@opentelemetry/api'
import { randomPartOfSessionId, sessionRandom_bytes } from '../../basics/ids.ts'

/** Returns 24 bytes or more, which nobody can compute without a key. */
export type KeyedHash = (bytes: Buffer) => Buffer

/**
 * The first span of the trace of a session, known to every process without being stored: a keyed hash of the random part of the
 * session's id, which is a capability and must not be exported. After a tenant has moved to another cell, its sessions get other traces.
 */
export function contextOfSession(hash: KeyedHash, session_id = ''): SpanContext | undefined {
  const random = randomPartOfSessionId(session_id)
  return random && toContext(hash(random))
}

/** The first span for a request that will create a session, and the bytes for the session's id. */
export function prepareSession(hash: KeyedHash): { context: SpanContext; session_bytes: Buffer } {
  const session_bytes = randomBytes(sessionRandom_bytes)
  return { context: toContext(hash(session_bytes)), session_bytes }
}

export function newContext(): SpanContext {
  return toContext(randomBytes(24))
}

function toContext(bytes: Buffer): SpanContext {
  const [traceId, spanId] = [bytes.toString('hex', 0, 16), bytes.toString('hex', 16, 24)]
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}
