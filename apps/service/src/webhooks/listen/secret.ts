import type { Keyring } from '../../platform/keyring/open.ts'

/** What signs a tenant's forwards: always the same, so that it is set up once, and not the secret that signs deliveries. */
export function deriveListenSecret(keyring: Pick<Keyring, 'mac'>, tenant_id: string): string {
  return `whsec_${keyring.mac('listen secret', tenant_id).toString('base64url')}`
}
