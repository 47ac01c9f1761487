import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Browser } from './browser.ts'
import type { ApiResponse } from '../caller.ts'

export type ProviderSettings = Record<
  `${'' | 'OPERATOR_'}OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET'}`,
  string
>

/** What a service of tests reads about a provider, for the dashboard and the console. */
export function providerSettings(issuer: string, client_secret: string): ProviderSettings {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'vidimus',
    OIDC_CLIENT_SECRET: client_secret,
    OPERATOR_OIDC_ISSUER: issuer,
    OPERATOR_OIDC_CLIENT_ID: 'vidimus',
    OPERATOR_OIDC_CLIENT_SECRET: client_secret,
  }
}

/** An identity provider that accepts any login name, as its development pages do. */
export type IdentityProvider = {
  /** The configuration of a service that uses it. */
  environment: ProviderSettings
  close(): void
}

export const providerSecret = 'known to both'

/** Starts a real OpenID Connect provider. `base_url` and `console_url` are the URLs of the service that uses it. */
export async function startIdentityProvider(
  base_url: string,
  console_url = 'https://console.example.com',
): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://127.0.0.1:${port}`
  const client = { client_id: 'vidimus', client_secret: providerSecret }
  const provider = new Provider(issuer, {
    clients: [
      {
        ...client,
        redirect_uris: [
          `${base_url}/dashboard/api/sign-in/oidc/callback`,
          `${console_url}/operator/v1/sign-in/oidc/callback`,
        ],
      },
    ],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['cookie key of one test run'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, name: id }),
    }),
  })
  server.on('request', provider.callback())
  return {
    environment: providerSettings(issuer, client.client_secret),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Signs in at the provider and follows the redirect back. */
export async function signInAtProvider(
  browser: Browser,
  location: string,
  login: string,
): Promise<ApiResponse> {
  return followCallback(browser, await authenticateAtProvider(location, login))
}

/** Follows the provider's redirect, as a browser does after a cross-site navigation. */
export async function followCallback(browser: Browser, callback: string): Promise<ApiResponse> {
  const { search } = new URL(callback, browser.origin)
  const query = search === '' ? undefined : Object.fromEntries(new URLSearchParams(search))
  return browser.call('finishOidc', {
    ...(query !== undefined && { query }),
    headers: { 'sec-fetch-site': 'cross-site' },
  })
}

/** Signs in on the pages of the provider. Returns the URL to which it redirects the browser. */
export async function authenticateAtProvider(location: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  const callback = new URL(location).searchParams.get('redirect_uri') ?? ''
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
    if (next.startsWith(callback)) return next
  }
  throw new Error('the provider did not redirect back')
}
