import type { Configuration, CustomFetch } from 'openid-client'
import type { Config } from '../../../engine/config/index.ts'
import { type Egress, openEgress, readCidr } from '../../../engine/egress/index.ts'

/** The operator's identity provider. */
export type Provider = {
  issuer: string
  strength: RequiredStrength
  /** The provider's metadata, fetched on first use and again after an hour. */
  configuration(): Promise<Configuration>
  close(): void
}

/** After this time the metadata is fetched again, for new endpoints. The library refreshes the keys itself. */
const metadataTtl_ms = 3_600_000
const allAddresses = ['0.0.0.0/0', '::/0'].map(readCidr).filter((range) => range !== undefined)

export type ProviderSettings = {
  issuer: string | undefined
  client_id: string | undefined
  client_secret: string | undefined
  strength: RequiredStrength
}

/** Undefined if no provider is configured. */
export function openProvider(
  { issuer, client_id, client_secret, strength }: ProviderSettings,
  config: Pick<Config, 'DNS_SERVERS' | 'NODE_ENV'>,
): Provider | undefined {
  if (issuer === undefined || client_id === undefined) return undefined
  // The operator configures this address, so it may be in the operator's own network. Addresses from merchants may not,
  // so they use a separate egress.
  const egress = openEgress({ allow: allAddresses, dns_servers: config.DNS_SERVERS })
  // A provider without TLS is acceptable only in development.
  const allowHttp = issuer.startsWith('http:') && config.NODE_ENV !== 'production'
  let cached: { configuration: Promise<Configuration>; at: number } | undefined

  const discover = async (): Promise<Configuration> => {
    // Loaded with the first sign-in: commands and workers make none.
    const client = await import('openid-client')
    const found = await client.discovery(new URL(issuer), client_id, client_secret, undefined, {
      [client.customFetch]: egressFetch(egress),
      timeout: 10,
      // Without the first, the library does not check the signature of an ID token from the token endpoint.
      execute: [client.enableNonRepudiationChecks, ...(allowHttp ? [client.allowInsecureRequests] : [])],
    })
    return requireEndpoints(found, allowHttp)
  }

  return {
    issuer,
    strength,
    configuration() {
      if (cached === undefined || performance.now() - cached.at > metadataTtl_ms) {
        const configuration = discover()
        cached = { configuration, at: performance.now() }
        // A failure is not cached: the next sign-in tries again.
        configuration.catch(() => (cached = undefined))
      }
      return cached.configuration
    },
    close: () => egress.close(),
  }
}

/** The browser is sent to the first endpoint and the service calls the others, so only https URLs are accepted. */
function requireEndpoints(configuration: Configuration, allowHttp: boolean): Configuration {
  const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata()
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri]) {
    const protocol = URL.parse(endpoint ?? '')?.protocol
    if (protocol !== 'https:' && !(allowHttp && protocol === 'http:'))
      throw new TypeError('the provider metadata has an endpoint without https')
  }
  return configuration
}

const timeout_ms = 10_000
/** Metadata, keys and tokens take a few kilobytes. */
const max_response_bytes = 512 * 1024
const bodylessStatuses = new Set([204, 205, 304])

/** Sends the OpenID client's requests through egress, like all outbound traffic. Redirects are not followed. */
function egressFetch(egress: Pick<Egress, 'request'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const requestBody = body instanceof URLSearchParams ? body.toString() : body
    if (typeof requestBody !== 'string' && requestBody !== undefined && requestBody !== null)
      throw new TypeError('unsupported request body')
    const result = await egress.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      timeout_ms,
      max_response_bytes,
      ...(signal !== undefined && { signal }),
      compose: (write) => write({ headers, ...(typeof requestBody === 'string' && { body: requestBody }) }),
    })
    if (result.outcome !== 'responded' || !result.complete)
      throw new TypeError(`request to the identity provider failed: ${result.outcome}`)
    return new Response(bodylessStatuses.has(result.status) ? null : new Uint8Array(result.body), {
      status: result.status,
      headers: { 'content-type': result.headers.content_type ?? '' },
    })
  }
}

/** What the operator requires of a fresh sign-in: one of these levels, and one of these methods. Empty: any. */
type RequiredStrength = { acr: readonly string[]; amr: readonly string[] }

/** What a fresh sign-in asks of the provider. It may ignore that (OpenID Connect Core 1.0 §3.1.2.1), so the ID token is checked. */
export function requestedStrength({ acr }: RequiredStrength): { acr_values?: string } {
  return acr.length === 0 ? {} : { acr_values: acr.join(' ') }
}

/** The claim of an ID token that does not have what the operator requires of a fresh sign-in. */
export function findMissingStrength(
  required: RequiredStrength,
  { acr, amr }: Readonly<Record<string, unknown>>,
): 'acr' | 'amr' | undefined {
  if (required.acr.length > 0 && !required.acr.some((value) => value === acr)) return 'acr'
  const methods: unknown[] = Array.isArray(amr) ? amr : []
  if (required.amr.length > 0 && !required.amr.some((value) => methods.includes(value))) return 'amr'
  return undefined
}
