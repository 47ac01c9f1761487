import type { CrlName } from './crls.ts'

/** The authorities that publish a CRL: each root, and the authority under it that certifies signers, which may be the root itself. */
export type CrlAuthority = `${'persons' | 'mobile'}_${'root' | 'issuing'}`

export function crlUri(
  { status_uri }: { status_uri: string },
  authority: CrlAuthority,
  list: CrlName = 'current',
): string {
  return `${status_uri}/crl/${authority}/${list}.crl`
}
