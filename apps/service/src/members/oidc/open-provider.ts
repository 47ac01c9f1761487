import {
  allowInsecureRequests,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type Configuration,
} from 'openid-client'
import type { Config, Secrets } from '../../config.ts'
import { openEgress } from '../../platform/egress/open.ts'
import { readCidr } from '../../platform/egress/read-cidr.ts'
import { egressFetch } from './egress-fetch.ts'

/** The operator's identity provider. */
export type Provider = {
  issuer: string
  /** What the provider says of itself, asked for when it is first needed and again after a while. */
  configuration(): Promise<Configuration>
  close(): void
}

/** After so long the provider is asked anew, for new endpoints; its keys the library fetches itself. */
const metadataTtl_ms = 3_600_000
const allAddresses = ['0.0.0.0/0', '::/0'].map(readCidr).filter((range) => range !== undefined)

/** Undefined when sign-in by a provider is not configured. */
export function openProvider(config: Config, secrets: Secrets): Provider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id } = config
  if (issuer === undefined || client_id === undefined) return undefined
  // The operator names this one address, and it may well lie in the operator's own network. What merchants name may not,
  // so this door is another one than theirs.
  const egress = openEgress({ allow: allAddresses, dns_servers: config.DNS_SERVERS })
  // Without TLS a provider can only be one on a developer's machine.
  const allowHttp = issuer.startsWith('http:') && config.NODE_ENV !== 'production'
  let cached: { configuration: Promise<Configuration>; at: number } | undefined

  return {
    issuer,
    configuration() {
      if (cached === undefined || performance.now() - cached.at > metadataTtl_ms) {
        const configuration = discovery(new URL(issuer), client_id, secrets.OIDC_CLIENT_SECRET, undefined, {
          [customFetch]: egressFetch(egress),
          timeout: 10,
          // Without the first, the library takes an ID token from the token endpoint without checking its signature.
          execute: [enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])],
        }).then((found) => requireEndpoints(found, allowHttp))
        cached = { configuration, at: performance.now() }
        // One that failed is not remembered: the next who signs in asks again.
        configuration.catch(() => (cached = undefined))
      }
      return cached.configuration
    },
    close: () => egress.close(),
  }
}

/** A browser is sent to the first, and the service asks the others: nothing but addresses of the web will do. */
function requireEndpoints(configuration: Configuration, allowHttp: boolean): Configuration {
  const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata()
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri]) {
    const protocol = URL.parse(endpoint ?? '')?.protocol
    if (protocol !== 'https:' && !(allowHttp && protocol === 'http:'))
      throw new TypeError('the provider names an endpoint that cannot be used')
  }
  return configuration
}
