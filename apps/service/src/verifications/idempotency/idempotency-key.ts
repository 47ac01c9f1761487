import { canonicalize } from '@vidimus/evidence'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import type { Hashing } from '../../engine/keyring/index.ts'

export type HashedRequest = { key_hash: Buffer; body_hash: Buffer }

/**
 * Keyed hashes of an idempotency key and a body: all that is stored, so that after an erasure they reveal nothing about the
 * request. The key's hash covers its owner (IDEM-5): equal keys of different tenants, environments or devices are unrelated.
 */
export function hashRequest(
  keyring: Hashing,
  principal: Principal,
  { key, body }: { key: string; body: unknown },
): HashedRequest {
  const device = principal.kind === 'device' ? principal.device_id : ''
  return {
    key_hash: keyring.mac('idempotency key', principal.tenant_id, principal.environment, device, key),
    body_hash: keyring.mac('idempotent body', canonicalize(body)),
  }
}

const printable = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key header as the caller sent it, or undefined if there is none. An empty value is refused. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && printable.test(header)) return header
  throw new Refusal(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1-255 printable ASCII characters without spaces. A UUID is a good choice.',
  )
}
