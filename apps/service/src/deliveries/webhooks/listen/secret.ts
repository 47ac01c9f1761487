import type { Keyring } from '../../../engine/keyring/index.ts'

/** The secret that signs a tenant's forwards. It never changes, so it is configured once, and it differs from the secret for deliveries. */
export function deriveListenSecret(keyring: Pick<Keyring, 'mac'>, tenant_id: string): string {
  return `whsec_${keyring.mac('listen secret', tenant_id).toString('base64url')}`
}
