export type WalletUri = {
  client_id: string
  request_uri: string
  request_uri_method?: 'post'
  /** A scheme that wallets register, or the https link of one wallet. Default: `openid4vp`. */
  link?: string | undefined
}

/**
 * Builds the URI of the QR code and deep link: only the client id and the URI of the request (OpenID4VP 1.0 §5.10). The parameters are the
 * same for every wallet.
 */
export function buildWalletUri({
  client_id,
  request_uri,
  request_uri_method,
  link = 'openid4vp',
}: WalletUri): string {
  const beginning = link.startsWith('https://') ? link : `${link}://`
  const method = request_uri_method === undefined ? '' : `&request_uri_method=${request_uri_method}`
  return `${beginning}?client_id=${encodeURIComponent(client_id)}&request_uri=${encodeURIComponent(request_uri)}${method}`
}
