import { z } from 'zod'

export const maxPageOrigins = 10
/** A host name has at most 253 characters. */
const maxOrigin_characters = 280

/**
 * An origin exactly as a browser sends it, because it is compared as plain text: https, lower case, no path and no default
 * port. `http://localhost` is for test verifications only.
 */
const PageOrigin = z
  .string()
  .max(maxOrigin_characters)
  .refine(isPageOrigin, 'must be an https origin as a browser sends it, such as https://shop.example')

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

/** Whether an origin is a page on the developer's own machine, which works for test verifications only. */
export function isLocalOrigin(origin: string): boolean {
  return /^http:\/\/localhost(?::\d{1,5})?$/.test(origin)
}
