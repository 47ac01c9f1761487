import type { Configuration } from 'openid-client'
import type { Config, Secrets } from '../../../engine/config/index.ts'
import { openEgress, readCidr } from '../../../engine/egress/index.ts'
import { egressFetch } from './egress-fetch.ts'

/** The operator's identity provider. */
export type Provider = {
  issuer: string
  /** The provider's metadata, fetched on first use and again after an hour. */
  configuration(): Promise<Configuration>
  close(): void
}

/** After this time the metadata is fetched again, for new endpoints. The library refreshes the keys itself. */
const metadataTtl_ms = 3_600_000
const allAddresses = ['0.0.0.0/0', '::/0'].map(readCidr).filter((range) => range !== undefined)

/** Undefined if no provider is configured. */
export function openProvider(config: Config, secrets: Secrets): Provider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id } = config
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
    const found = await client.discovery(new URL(issuer), client_id, secrets.OIDC_CLIENT_SECRET, undefined, {
      [client.customFetch]: egressFetch(egress),
      timeout: 10,
      // Without the first, the library does not check the signature of an ID token from the token endpoint.
      execute: [client.enableNonRepudiationChecks, ...(allowHttp ? [client.allowInsecureRequests] : [])],
    })
    return requireEndpoints(found, allowHttp)
  }

  return {
    issuer,
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
