import { buildWalletUri } from '@vidimus/protocol'

/** Where the wallet fetches the session's request object. The id in it is the capability. */
export function requestUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wallet/request/${id}`
}

/** Where the wallet posts its answer. */
export function responseUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wallet/response/${id}`
}

/** What the QR code holds. It names the certificate that the session was created with, whatever the service's own is now. */
export function walletUri(baseUrl: string, { id, certificate }: { id: string; certificate: Buffer }): string {
  return buildWalletUri({
    client_id: clientId(certificate),
    request_uri: requestUri(baseUrl, id),
    request_uri_method: 'post',
  })
}

/** The hash of the certificate that the wallet is shown (OpenID4VP 1.0 §5.9.3). What follows it names the verifier_info. */
export function clientId(certificate: Buffer): string {
  return `x509_hash:${certificate.subarray(0, 32).toString('base64url')}`
}
