/** The authorities that publish a CRL: each root, and the authority under it that certifies signers, which may be the root itself. */
export type CrlAuthority = `${'persons' | 'mobile'}_${'root' | 'issuing'}`

/** The regular CRL, valid variants of it, and invalid ones. `absent` is never served. */
export type CrlName =
  | 'current'
  | 'scoped'
  | 'empty'
  | 'expired'
  | 'wrongly_signed'
  | 'other_authority'
  | 'other_place'
  | 'only_authorities'
  | 'indirect'
  | 'delta'
  | 'unknown_extension'
  | 'absent'

export function crlUri(
  { status_uri }: { status_uri: string },
  authority: CrlAuthority,
  list: CrlName = 'current',
): string {
  return `${status_uri}/crl/${authority}/${list}.crl`
}
