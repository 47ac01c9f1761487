/** The address of a site with the answer. What the site registered stays as it is (RFC 6749 §3.1.2). */
export function buildReturn(redirect_uri: string, answer: Record<string, string | null>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`
}
