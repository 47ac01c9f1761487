/** The part of the provider's interface that the tests use. Its published types depend on those of a web framework. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Account = { accountId: string; claims: () => Promise<Record<string, unknown>> }
  type Configuration = {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
    claims: Record<string, string[]>
    pkce: { required: () => boolean }
    cookies: { keys: string[] }
    ttl: Record<string, number>
    findAccount: (context: unknown, id: string) => Account
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
