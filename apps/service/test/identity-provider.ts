import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** Signs anyone in under the name they type, as its own development pages do. */
export type IdentityProvider = { issuer: string; client_id: string; client_secret: string; close(): void }

/** A real OpenID Connect provider on this machine. `base_url` is that of the service that sends people there. */
export async function startIdentityProvider(base_url: string): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://127.0.0.1:${port}`
  const client = { client_id: 'vidimus', client_secret: 'known to both' }
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${base_url}/dashboard/api/sign-in/oidc/callback`] }],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['signs cookies of one run'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, name: id }),
    }),
  })
  server.on('request', provider.callback())
  return {
    issuer,
    ...client,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
