import { X509Certificate } from 'node:crypto'
import {
  buildRelyingPartyMetadata,
  hashRelyingPartyMetadata,
  readSubject,
  relyingPartyMetadataOid,
  type RelyingPartyMetadata,
} from '@vidimus/protocol'
import {
  certify,
  exportPem,
  generateSigningKey,
  importPem,
  keyUsage,
  octetStringExtension,
  toPem,
  validityAround,
} from '@vidimus/sandbox'
import { certificateRefusal } from './set-identity.ts'

export type IssueGoogleIdentity = {
  /** PEM: the registrar's chain, its own certificate first, and its key. */
  registrar: { chain: string; key: string }
  /** Unique among the merchants of the registrar. */
  tenant_id: string
  metadata: RelyingPartyMetadata
  now: Date
}

const lifetime_days = 365

/**
 * Issues a merchant's identity for Google Wallet as a verifier registrar: a leaf under the registrar's authority that names what the
 * wallet shows about the merchant by its hash.
 */
export function issueGoogleIdentity({ registrar, tenant_id, metadata, now }: IssueGoogleIdentity): {
  certificate: { chain: string; key: string }
  metadata: Uint8Array
} {
  const authority = readAuthority(registrar)
  const bytes = buildRelyingPartyMetadata(metadata)
  const key = generateSigningKey()
  const { not_before, not_after } = validityAround(now, 0, lifetime_days)
  const leaf = certify(authority, {
    not_before,
    not_after: new Date(Math.min(not_after.getTime(), authority.valid_until.getTime())),
    name: { organization: metadata.display.display_name, common_name: tenant_id },
    key,
    extensions: [
      keyUsage('digital_signature'),
      octetStringExtension(relyingPartyMetadataOid, hashRelyingPartyMetadata(bytes)),
    ],
  })
  return {
    certificate: {
      chain: toPem(leaf) + registrar.chain,
      key: exportPem(key),
    },
    metadata: bytes,
  }
}

function readAuthority({ chain, key }: IssueGoogleIdentity['registrar']) {
  try {
    const certificate = new X509Certificate(chain)
    const signingKey = importPem(key)
    if (!certificate.checkPrivateKey(signingKey.private_key))
      throw new Error('the key does not belong to the registrar’s certificate')
    if (!certificate.ca) throw new Error('the registrar’s certificate is not that of an authority')
    return {
      name: Buffer.from(readSubject(certificate.raw) ?? '', 'latin1'),
      key: signingKey,
      valid_until: certificate.validToDate,
    }
  } catch (error) {
    // OpenSSL throws if one of them is malformed, the sandbox if it does not know the curve.
    throw certificateRefusal(error instanceof Error ? error.message : 'it cannot be read')
  }
}
