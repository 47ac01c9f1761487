import { createHash } from 'node:crypto'
import { validityAround, certify, createAuthority } from '../src/certificates/authority.ts'
import { keyUsage, subjectDnsName } from '../src/certificates/extensions.ts'
import { generateSigningKey } from '../src/keys/signing-key.ts'

/** A verifier's key, its certificate and the root that wallets trust. */
export function createAccessIdentity(now: Date) {
  const root = createAuthority({
    ...validityAround(now, 1, 365),
    name: { common_name: 'Access Root' },
    path_length: 0,
  })
  const key = generateSigningKey()
  const leaf = certify(root, {
    ...validityAround(now, 1, 30),
    name: { common_name: 'Verifier' },
    key,
    extensions: [keyUsage('digital_signature'), subjectDnsName('localhost')],
  })
  return {
    root: root.certificate,
    key,
    leaf,
    x5c: [Buffer.from(leaf).toString('base64')],
    client_ids: {
      x509_hash: `x509_hash:${createHash('sha256').update(leaf).digest('base64url')}`,
      x509_san_dns: 'x509_san_dns:localhost',
    },
  }
}

/** What the minimal verifiers support. */
export const clientMetadata = {
  vp_formats_supported: {
    'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'], 'kb-jwt_alg_values': ['ES256'] },
    mso_mdoc: { issuerauth_alg_values: [-7, -9], deviceauth_alg_values: [-7, -9] },
  },
  encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
}
