import type { Keyring } from '../keyring/open.ts'
import { randomPartOfSessionId, sessionRandom_bytes } from '../ids.ts'
import { takeRandomBytes } from '../random-bytes.ts'

/** The ids of a trace and of its first span, as hexadecimal digits. */
export type TraceIds = { trace_id: string; root_id: string }

/**
 * The trace of a session, known to every process without being stored: a keyed hash of the random part of its id, which is a
 * capability and must not be exported. After a tenant has moved to another cell, its sessions get other traces.
 */
export function idsOfSession(keyring: Pick<Keyring, 'mac'>, session_id: string): TraceIds | undefined {
  const random = randomPartOfSessionId(session_id)
  return random && deriveIds(keyring, random)
}

/** Ids for a request that will create a session, with the bytes for the session's id. */
export function prepareSession(keyring: Pick<Keyring, 'mac'>): TraceIds & { session_bytes: Buffer } {
  const session_bytes = takeRandomBytes(sessionRandom_bytes)
  return { ...deriveIds(keyring, session_bytes), session_bytes }
}

export function newIds(): TraceIds {
  return toIds(takeRandomBytes(24))
}

function deriveIds(keyring: Pick<Keyring, 'mac'>, random: Buffer): TraceIds {
  return toIds(keyring.mac('trace of session', random))
}

function toIds(bytes: Buffer): TraceIds {
  return { trace_id: bytes.toString('hex', 0, 16), root_id: bytes.toString('hex', 16, 24) }
}
