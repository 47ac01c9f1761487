import { canonicalize } from '@vidimus/evidence'
import type { Keyring } from '../platform/keyring/open.ts'
import type { Principal } from '../platform/principal.ts'

export type HashedRequest = { key_hash: Buffer; body_hash: Buffer }

/**
 * What is kept of a key and a body: keyed hashes, so that after an erasure they tell nobody what was asked. The key's hash
 * covers whose it is (IDEM-5): equal keys of another tenant, environment or device have nothing to do with each other.
 */
export function hashRequest(
  keyring: Keyring,
  principal: Principal,
  { key, body }: { key: string; body: unknown },
): HashedRequest {
  const device = principal.kind === 'device' ? principal.device_id : ''
  return {
    key_hash: keyring.mac('idempotency key', principal.tenant_id, principal.environment, device, key),
    body_hash: keyring.mac('idempotent body', canonicalize(body)),
  }
}
