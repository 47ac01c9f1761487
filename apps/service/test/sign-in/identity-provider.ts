import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Browser } from './browser.ts'
import type { ApiResponse } from '../caller.ts'

/** Signs anyone in under the name they type, as its own development pages do. */
export type IdentityProvider = {
  /** What a service has to be told of it. */
  environment: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string }
  close(): void
}

export const providerSecret = 'known to both'

/** A real OpenID Connect provider on this machine. `base_url` is that of the service that sends people there. */
export async function startIdentityProvider(base_url: string): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://127.0.0.1:${port}`
  const client = { client_id: 'vidimus', client_secret: providerSecret }
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${base_url}/dashboard/api/sign-in/oidc/callback`] }],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['signs cookies of one run'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, name: id }),
    }),
  })
  server.on('request', provider.callback())
  return {
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Goes to the provider, signs in there, and comes back. */
export async function signInAtProvider(
  browser: Browser,
  location: string,
  login: string,
): Promise<ApiResponse> {
  return followCallback(browser, await authenticateAtProvider(location, login))
}

/** Follows the provider's redirection, as a browser that comes from elsewhere. */
export async function followCallback(browser: Browser, callback: string): Promise<ApiResponse> {
  const { search } = new URL(callback, browser.origin)
  const query = search === '' ? undefined : Object.fromEntries(new URLSearchParams(search))
  return browser.call('finishOidc', {
    ...(query !== undefined && { query }),
    headers: { 'sec-fetch-site': 'cross-site' },
  })
}

/** Signs in at the provider as its own pages would, and says where it sends the browser. */
export async function authenticateAtProvider(location: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = location
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    const response = await fetch(next, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { body: form }),
    })
    for (const text of response.headers.getSetCookie()) {
      const [pair = ''] = text.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    form = undefined
    const to = response.headers.get('location')
    if (to === null) {
      const page = await response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
      form = new URLSearchParams({ prompt, login, password: 'any' })
      next = /action="([^"]+)"/.exec(page)?.[1] ?? next
      continue
    }
    next = new URL(to, next).href
    if (next.startsWith('http://localhost:8080/')) return next
  }
  throw new Error('the provider never came to an end')
}
