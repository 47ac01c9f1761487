import { buildWalletUri } from '@vidimus/protocol'

/** Where the wallet fetches the session's request object. The id in it is the capability. */
export function requestUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wallet/request/${id}`
}

/** Where the wallet posts its response. */
export function responseUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wallet/response/${id}`
}

/**
 * The content of the QR code. It names the certificate that the session was created with, even if the service's own has
 * changed.
 */
export function walletUri(baseUrl: string, { id, certificate }: { id: string; certificate: Buffer }): string {
  return buildWalletUri({
    client_id: clientId(certificate),
    request_uri: requestUri(baseUrl, id),
    request_uri_method: 'post',
  })
}

/**
 * The hash of the certificate that the wallet sees (OpenID4VP 1.0 §5.9.3). In the column, the hash of the verifier_info may
 * follow it.
 */
export function clientId(certificate: Buffer): string {
  return `x509_hash:${certificate.subarray(0, 32).toString('base64url')}`
}
