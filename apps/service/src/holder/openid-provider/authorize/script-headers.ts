import { hash } from 'node:crypto'
import { pageHeaders } from '../../page/page-headers.ts'

/**
 * The headers of a page with one inline script, which the policy names by its hash. A page that posts a form to a site has no
 * `form-action`: browsers apply it also to where the site redirects afterwards, which only the site knows. And it tells the site which
 * origin posts, since many check that.
 */
export function scriptHeaders(script: string, { postsForm }: { postsForm: boolean }): Record<string, string> {
  const headers = pageHeaders(undefined)
  const policy = (headers['content-security-policy'] ?? '').replace(
    "script-src 'self'",
    `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
  )
  if (!postsForm) return { ...headers, 'content-security-policy': policy }
  return {
    ...headers,
    'content-security-policy': policy.replace("; form-action 'none'", ''),
    'referrer-policy': 'strict-origin',
  }
}
