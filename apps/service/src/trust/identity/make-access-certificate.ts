import {
  validityAround,
  certify,
  createAuthority,
  generateSigningKey,
  keyUsage,
  subjectDnsName,
  toPem,
} from '@vidimus/sandbox'

const days = { before: 1, after: 3650 }

/** A certificate for an installation that has none yet. No real wallet trusts it; the sandbox wallet does not check. */
export function makeAccessCertificate(hostname: string): { chain: string; key: string } {
  const validity = validityAround(new Date(), days.before, days.after)
  const authority = createAuthority({
    ...validity,
    name: { organization: 'Vidimus', common_name: `Self-made authority of ${hostname}` },
    path_length: 0,
  })
  const key = generateSigningKey()
  const leaf = certify(authority, {
    ...validity,
    name: { organization: 'Vidimus', common_name: hostname },
    key,
    extensions: [keyUsage('digital_signature'), subjectDnsName(hostname)],
  })
  return {
    chain: toPem(leaf) + toPem(authority.certificate),
    key: key.private_key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
