/** Builds the URL that the wallet redirects to: the merchant's URL with the code appended to its fragment (WRES-2). */
export function buildRedirectUrl(redirect_url: string, response_code: string): string {
  const [, fragment] = redirect_url.split(/#(.*)/s)
  const separator = fragment === undefined ? '#' : fragment === '' ? '' : '&'
  return `${redirect_url}${separator}response_code=${encodeURIComponent(response_code)}`
}
