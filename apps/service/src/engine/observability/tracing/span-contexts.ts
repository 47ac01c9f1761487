import { randomBytes } from 'node:crypto'
import { TraceFlags, type SpanContext } from '@opentelemetry/api'
import { randomPartOfVerificationId, verificationRandom_bytes } from '../../basics/ids.ts'

/** Returns 24 bytes or more, which nobody can compute without a key. */
export type KeyedHash = (bytes: Buffer) => Buffer

/**
 * The first span of the trace of a verification, known to every process without being stored: a keyed hash of the random part of the
 * verification's id, which is a capability and must not be exported. After a tenant has moved to another cell, its verifications get other traces.
 */
export function contextOfVerification(hash: KeyedHash, verification_id = ''): SpanContext | undefined {
  const random = randomPartOfVerificationId(verification_id)
  return random && toContext(hash(random))
}

/** The first span for a request that will create a verification, and the bytes for the verification's id. */
export function prepareVerification(hash: KeyedHash): { context: SpanContext; verification_bytes: Buffer } {
  const verification_bytes = randomBytes(verificationRandom_bytes)
  return { context: toContext(hash(verification_bytes)), verification_bytes }
}

export function newContext(): SpanContext {
  return toContext(randomBytes(24))
}

function toContext(bytes: Buffer): SpanContext {
  const [traceId, spanId] = [bytes.toString('hex', 0, 16), bytes.toString('hex', 16, 24)]
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}
