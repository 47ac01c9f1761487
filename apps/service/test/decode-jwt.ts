/** The header and the claims of a JWT, without checking its signature. */
export function decodeJwt(jwt: string): {
  header: Record<string, unknown>
  claims: Record<string, unknown>
} {
  const [header = '', claims = ''] = jwt.split('.')
  return { header: decodePart(header), claims: decodePart(claims) }
}

function decodePart(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
