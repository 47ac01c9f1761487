import { createHash } from 'node:crypto'
import { validityAround, certify, generateSigningKey, keyUsage } from '@vidimus/sandbox'
import { newAuthority, joinPem } from './authorities.ts'

const authority = newAuthority('Access Authority')

type AccessCertificateOptions = {
  /** How long it is valid from now. */
  days?: number
  /** The organizationIdentifier, by which a registration belongs to it. */
  identifier?: string
}

/** An access certificate as a merchant's registrar issues it. */
export function newAccessCertificate({ days = 30, identifier }: AccessCertificateOptions = {}) {
  const key = generateSigningKey()
  const leaf = certify(authority, {
    ...validityAround(new Date(), 31, days),
    name: {
      organization: 'Corner Shop',
      common_name: 'shop.example',
      ...(identifier !== undefined && { organization_identifier: identifier }),
    },
    key,
    extensions: [keyUsage('digital_signature')],
  })
  return {
    chain: joinPem(leaf, authority.certificate),
    key: key.private_key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    client_id: `x509_hash:${createHash('sha256').update(leaf).digest('base64url')}`,
  }
}
