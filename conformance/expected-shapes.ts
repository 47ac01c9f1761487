import { assertStatus } from './expect.ts'
import type { ServiceClient } from './target.ts'

export const verificationMembers = {
  required: ['id', 'status', 'created_at', 'expires_at'],
  optional: [
    'template',
    'wallet_uri',
    'request_uri',
    'claims',
    'credentials',
    'error',
    'metadata',
    'purpose',
    'redirect_url',
    'responded_at',
  ],
} as const

export const deviceMembers = {
  required: ['id', 'name', 'status', 'allowed_templates', 'created_at'],
  optional: ['pairing_expires_at', 'enrolled_at', 'last_seen_at', 'revoked_at'],
} as const

export const credentialMembers = [
  'format',
  'doctype_or_vct',
  'claims',
  'issuer',
  'trusted',
  'signature_valid',
  'holder_binding_valid',
  'findings',
] as const

/** Registers a device; returns it with its pairing code. */
export async function registerDevice({ call }: ServiceClient, input: Record<string, unknown> = {}) {
  const body = { name: 'Conformance till', allowed_templates: ['age_over_18'], ...input }
  const registered = await call('POST', '/v1/devices', { body })
  assertStatus(registered, 201)
  return registered.body
}

/** Registers and pairs a device; returns its token pair. */
export async function pairDevice(client: ServiceClient) {
  const { pairing_code } = await registerDevice(client)
  const paired = await client.call('POST', '/v1/devices/enroll', { key: null, body: { pairing_code } })
  assertStatus(paired, 200)
  return paired.body
}
