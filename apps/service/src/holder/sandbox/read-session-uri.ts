/** A verification, and the service that it belongs to. */
export type SessionReference = { base_url: string; id: string }

const sessionPath = /^(.*)\/(?:wallet\/(?:request|response|dc)|verify|v1\/verifications)\/([^/]+)$/

/**
 * The session that a link for a wallet, or a URL of the service, refers to: `openid4vp://` with its `request_uri`, `av://` with
 * its `response_uri`, the holder's page, or the API's URL. Undefined if the text is none of these.
 */
export function readSessionUri(text: string): SessionReference | undefined {
  const url = URL.parse(text)
  const inside = { 'openid4vp:': 'request_uri', 'av:': 'response_uri' }[url?.protocol ?? '']
  const target = inside === undefined ? url : URL.parse(url?.searchParams.get(inside) ?? '')
  if (target === null || (target.protocol !== 'https:' && target.protocol !== 'http:')) return undefined
  const [, prefix, id] = sessionPath.exec(target.pathname) ?? []
  return prefix === undefined || id === undefined ? undefined : { base_url: `${target.origin}${prefix}`, id }
}

/** Where the page of a session fetches its requests for the Digital Credentials API, and posts the answer. */
export function dcUri({ base_url, id }: SessionReference): string {
  return `${base_url}/wallet/dc/${id}`
}
