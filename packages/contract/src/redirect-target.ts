/** Without anything that one parser takes for the end of the host and another for a part of it. */
const webAddress = /^https?:\/\/[^/?#\\@%]+(?:[/?#]|$)/i

/** A domain name in reverse order (RFC 8252 §7.1). */
const appScheme = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+:/i

/**
 * Whether a wallet may redirect its holder to this URI (CREATE-11): http or https, or a private-use scheme based on a domain name. Any
 * other scheme may belong to a browser, the operating system or another program, and nobody can list them all. User names and
 * passwords are not allowed: readers mistake the part before the `@` for the host, and it may contain a secret.
 */
export function isRedirectTarget(uri: string): boolean {
  return URL.canParse(uri) && !uri.includes('\\') && (webAddress.test(uri) || appScheme.test(uri))
}
