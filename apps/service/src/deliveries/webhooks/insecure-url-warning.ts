/** A warning about an address that receives webhooks over plain http, for the `X-Service-Warning` header. */
export function insecureUrlWarning(member: string, url: string | undefined): string | undefined {
  if (url === undefined || URL.parse(url)?.protocol !== 'http:') return undefined
  return `${member}: http is not encrypted, so anyone on the way can read the claims: use https`
}
