export type WalletUri = { client_id: string; request_uri: string; request_uri_method?: 'post' }

/** Builds the URI of the QR code and deep link: only the client id and the URI of the request (OpenID4VP 1.0 §5.10). */
export function buildWalletUri({ client_id, request_uri, request_uri_method }: WalletUri): string {
  const method = request_uri_method === undefined ? '' : `&request_uri_method=${request_uri_method}`
  return `openid4vp://?client_id=${encodeURIComponent(client_id)}&request_uri=${encodeURIComponent(request_uri)}${method}`
}
