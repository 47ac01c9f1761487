import type { ResponseMode } from './read-request.ts'

/** A form that the browser posts to the site. */
export type SiteForm = { action: string; fields: Record<string, string> }

/** How the browser brings a response to the site. */
export type SiteResponse = { location: string } | { form: SiteForm }

/**
 * The response for a site: in the query of its address, which otherwise stays as it was registered (RFC 6749 §3.1.2), or in a form
 * (OAuth 2.0 Form Post Response Mode §2).
 */
export function buildSiteResponse(
  { redirect_uri, response_mode }: { redirect_uri: string; response_mode: ResponseMode },
  response: Record<string, string | null>,
): SiteResponse {
  const given = Object.entries(response).filter((entry): entry is [string, string] => entry[1] !== null)
  if (response_mode === 'form_post')
    return { form: { action: redirect_uri, fields: Object.fromEntries(given) } }
  const separator = redirect_uri.includes('?') ? '&' : '?'
  return { location: `${redirect_uri}${separator}${new URLSearchParams(given).toString()}` }
}
