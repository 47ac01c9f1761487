import { z } from 'zod'

export const maxPageOrigins = 10
/** A host name has at most 253 characters. */
const maxOrigin_characters = 280

/**
 * An origin exactly as a wallet sees it, because it is compared as plain text. A page has https, lower case, no path and no default port;
 * `http://localhost` is for test verifications only. An Android app has the hash of its signing certificate.
 */
const PageOrigin = z
  .string()
  .max(maxOrigin_characters)
  .refine(
    (origin) => isPageOrigin(origin) || isAppOrigin(origin),
    'must be an https origin as a browser sends it, such as https://shop.example, or android:apk-key-hash: and the SHA-256 hash of an app’s signing certificate in base64url',
  )

export const PageOrigins = z
  .array(PageOrigin)
  .max(maxPageOrigins)
  .refine((origins) => new Set(origins).size === origins.length, 'must not name an origin twice')

function isPageOrigin(text: string): boolean {
  // The URL parser accepts a wildcard as a host, but no page has it.
  if (text.includes('*')) return false
  const url = URL.parse(text)
  return url !== null && url.origin === text && (url.protocol === 'https:' || isLocalOrigin(text))
}

/** The origin of an Android app: SHA-256 has 32 bytes, so that the last of 43 characters has two bits to spare, which are zero. */
export function isAppOrigin(text: string): boolean {
  return /^android:apk-key-hash:[\w-]{42}[AEIMQUYcgkosw048]$/.test(text)
}

/** Whether an origin is a page on the developer's own machine, which works for test verifications only. */
export function isLocalOrigin(origin: string): boolean {
  return /^http:\/\/localhost(?::\d{1,5})?$/.test(origin)
}
