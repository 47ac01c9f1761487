/**
 * The earliest `exp` of the attestations in an imported `verifier_info` that are JWTs, in seconds since 1970. Others have no end that
 * can be read, and nothing else about them is known.
 */
export function readImportedEnd(verifierInfo: string): number | null {
  // Validated when it was set.
  const attestations = JSON.parse(verifierInfo) as { data: unknown }[]
  const ends = attestations.flatMap(({ data }) => (typeof data === 'string' ? readJwtEnd(data) : []))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** The end of the year 9999. */
const maxSeconds = 253_402_300_800

function readJwtEnd(token: string): number[] {
  const [, payload] = token.split('.')
  if (payload === undefined) return []
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return []
    const { exp } = claims
    return typeof exp === 'number' && exp > 0 && exp < maxSeconds ? [exp] : []
  } catch {
    // Not a JWT.
    return []
  }
}
