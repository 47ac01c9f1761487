import { createHash } from 'node:crypto'
import { validityAround, certify, generateSigningKey, keyUsage, type Authority } from '@vidimus/sandbox'
import { newAuthority, joinPem } from './authorities.ts'

const authority = newAuthority('Access Authority')

type AccessCertificateOptions = {
  /** How long it is valid from now. */
  days?: number
  /** The organizationIdentifier, by which a registration belongs to it. */
  identifier?: string
  /** Who issued it. */
  issuer?: Authority
  extensions?: Parameters<typeof certify>[1]['extensions']
}

/** An access certificate as a merchant's registrar issues it. */
export function newAccessCertificate({
  days = 30,
  identifier,
  issuer = authority,
  extensions = [],
}: AccessCertificateOptions = {}) {
  const key = generateSigningKey()
  const leaf = certify(issuer, {
    ...validityAround(new Date(), 31, days),
    name: {
      organization: 'Corner Shop',
      common_name: 'shop.example',
      ...(identifier !== undefined && { organization_identifier: identifier }),
    },
    key,
    extensions: [keyUsage('digital_signature'), ...extensions],
  })
  return {
    chain: joinPem(leaf, issuer.certificate),
    key: key.private_key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    client_id: `x509_hash:${createHash('sha256').update(leaf).digest('base64url')}`,
  }
}
