import { buildWalletUri } from '@vidimus/protocol'

/** The QR code of the holder's page has its own addresses, by which its responses are recognised (PAGE-5). */
export type RequestVia = 'screen'
/** The EU age-verification app gets its request by value, so it has only response addresses: for its link and its QR code. */
export type AgeAppVia = 'age_app' | 'age_app_screen'
export type ResponseVia = RequestVia | AgeAppVia

/** Where the wallet fetches the verification's request object. The id in it is the capability. */
export function requestUri(baseUrl: string, id: string, via?: RequestVia): string {
  return `${baseUrl}/wallet/request/${id}${viaQuery(via)}`
}

/** Where the wallet posts its response. */
export function responseUri(baseUrl: string, id: string, via?: ResponseVia): string {
  return `${baseUrl}/wallet/response/${id}${viaQuery(via)}`
}

/** The holder's page. */
export function pageUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/verify/${id}`
}

type RequestedVerification = { id: string; certificate: Buffer }

/**
 * The wallet link, for the same device or the merchant's own QR code. It names the certificate that the verification was created
 * with, even if the service's own has changed. `link` says how it begins, as in `buildWalletUri`.
 */
export function walletUri(baseUrl: string, verification: RequestedVerification, link?: string): string {
  return linkToRequest(baseUrl, verification, { link })
}

/** The content of the QR code on the holder's page. Responses to it get no redirect: the browser is on another device. */
export function screenUri(baseUrl: string, verification: RequestedVerification): string {
  return linkToRequest(baseUrl, verification, { via: 'screen' })
}

function linkToRequest(
  baseUrl: string,
  { id, certificate }: RequestedVerification,
  { via, link }: { via?: RequestVia; link?: string | undefined },
): string {
  return buildWalletUri({
    client_id: clientId(certificate),
    request_uri: requestUri(baseUrl, id, via),
    request_uri_method: 'post',
    link,
  })
}

/**
 * The hash of the certificate that the wallet sees (OpenID4VP 1.0 §5.9.3). In the column, the hash of the verifier_info may
 * follow it.
 */
export function clientId(certificate: Uint8Array): string {
  return `x509_hash:${Buffer.from(certificate.subarray(0, 32)).toString('base64url')}`
}

function viaQuery(via: ResponseVia | undefined): string {
  return via === undefined ? '' : `?via=${via}`
}
