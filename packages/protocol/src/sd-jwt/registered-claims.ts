/** SD-JWT VC §2.2.2.2: these claims and their content must not be selectively disclosed. */
export const nonDisclosableClaims: readonly string[] = [
  'iss',
  'nbf',
  'exp',
  'cnf',
  'vct',
  'vct#integrity',
  'aka_vcts',
  'status',
]

/** Claims about the credential itself, which an SD-JWT VC discloses whether or not they are requested (SD-JWT VC §2.2.2). */
export const metadataClaims: readonly string[] = ['sub', 'jti', 'iat', ...nonDisclosableClaims]
