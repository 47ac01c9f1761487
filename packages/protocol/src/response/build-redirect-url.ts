/** Where the wallet sends the holder on: the merchant's address with the code in the fragment, after what stands there (WRES-2). */
export function buildRedirectUrl(redirect_url: string, response_code: string): string {
  const [, fragment] = redirect_url.split(/#(.*)/s)
  const separator = fragment === undefined ? '#' : fragment === '' ? '' : '&'
  return `${redirect_url}${separator}response_code=${encodeURIComponent(response_code)}`
}
