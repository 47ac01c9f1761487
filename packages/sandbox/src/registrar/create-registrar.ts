import { certify, createAuthority, validityAround, type Authority } from '../certificates/authority.ts'
import { extendedKeyUsage, keyUsage } from '../certificates/extensions.ts'
import type { Signer } from '../issuer/signer.ts'
import { generateSigningKey, type Algorithm } from '../keys/signing-key.ts'

/** A registrar: its root, the seal of its registration certificates, and the signer of their status list. */
export type Registrar = {
  readonly root: Authority
  readonly seal: Signer
  readonly status_signer: Signer
  /** The prefix of its status list URIs. */
  readonly status_uri: string
}

export type RegistrarOptions = {
  now: Date
  algorithm?: Algorithm
  status_uri?: string
  organization?: string
}

const statusListPurpose = '1.3.6.1.5.5.7.3.30'

/** Creates a registrar with new keys. A verifier trusts its root in the role `registration`. */
export function createRegistrar({
  now,
  algorithm = 'ES256',
  status_uri = 'https://registrar.invalid/status',
  organization = 'Vidimus Sandbox',
}: RegistrarOptions): Registrar {
  const root = createAuthority({
    ...validityAround(now, 30, 7300),
    algorithm,
    name: { country: 'UT', organization, common_name: 'Sandbox Registrar Root' },
    path_length: 0,
  })
  const createSigner = (title: string, purposes: readonly string[]): Signer => {
    const key = generateSigningKey(algorithm)
    const name = { country: 'UT', organization, common_name: `Sandbox ${title}` }
    const extensions = [
      keyUsage('digital_signature'),
      ...purposes.map((purpose) => extendedKeyUsage(purpose, false)),
    ]
    return { key, chain: [certify(root, { ...validityAround(now, 30, 335), name, key, extensions })] }
  }
  return {
    root,
    seal: createSigner('Registrar', []),
    status_signer: createSigner('Registrar Status Signer', [statusListPurpose]),
    status_uri,
  }
}
