import { validityAround, createAuthority, toPem, type Authority } from '@vidimus/sandbox'

/** A new certificate authority, valid for a year. */
export function newAuthority(common_name: string): Authority {
  return createAuthority({
    ...validityAround(new Date(), 30, 365),
    name: { country: 'UT', common_name },
    path_length: 1,
  })
}

export function joinPem(...certificates: Uint8Array[]): string {
  return certificates.map((certificate) => toPem(certificate)).join('')
}
