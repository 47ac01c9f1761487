import { hash } from 'node:crypto'
import type { Language } from '@vidimus/holder-texts'

/** Only the page itself may ask for credentials; nothing else of the browser is used. */
const permissionsPolicy = [
  'camera=()',
  'microphone=()',
  'geolocation=()',
  'payment=()',
  'usb=()',
  'digital-credentials-get=(self)',
].join(', ')

/**
 * The headers of the page (PAGE-10). `inlineStyle` is the only inline style that the browser accepts: the policy names its
 * hash. `withForm`: the page has the form that cancels.
 */
export function pageHeaders(
  language: Language,
  inlineStyle?: string,
  { withForm = false }: { withForm?: boolean } = {},
): Record<string, string> {
  const styleHash = inlineStyle && ` 'sha256-${hash('sha256', inlineStyle, 'base64')}'`
  const contentSecurityPolicy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleHash ?? ''}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${withForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    'cache-control': 'no-store',
    'content-language': language,
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissionsPolicy,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    // The page is in the language of the request.
    vary: 'accept-language',
  }
}
