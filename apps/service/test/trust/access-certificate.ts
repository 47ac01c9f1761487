import { createHash } from 'node:crypto'
import { validityAround, certify, generateSigningKey, keyUsage } from '@vidimus/sandbox'
import { newAuthority, joinPem } from './authorities.ts'

const authority = newAuthority('Access Authority')

/** An access certificate as a merchant's registrar issues it, valid for this many more days. */
export function newAccessCertificate({ days = 30 } = {}) {
  const key = generateSigningKey()
  const leaf = certify(authority, {
    ...validityAround(new Date(), 31, days),
    name: { organization: 'Corner Shop', common_name: 'shop.example' },
    key,
    extensions: [keyUsage('digital_signature')],
  })
  return {
    chain: joinPem(leaf, authority.certificate),
    key: key.private_key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    client_id: `x509_hash:${createHash('sha256').update(leaf).digest('base64url')}`,
  }
}
