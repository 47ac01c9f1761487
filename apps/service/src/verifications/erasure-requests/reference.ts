import { hash } from 'node:crypto'
import type { Keyring } from '../../engine/keyring/index.ts'

const mac_bytes = 16

/**
 * What the holder is shown at the end, whatever was entered: the same for the same code. If it led to an erasure, the audit entry of that
 * has its hash.
 */
export function writeReference(
  keyring: Pick<Keyring, 'mac'>,
  { tenant_id, code }: { tenant_id: string; code: string },
): string {
  return `er_${keyring.mac('erasure reference', tenant_id, code).subarray(0, mac_bytes).toString('base64url')}`
}

export function hashReference(reference: string): Buffer {
  return hash('sha256', reference, 'buffer')
}
