import { createHash, randomBytes } from 'node:crypto'
import type { Environment, OpenIdClientInput } from '@vidimus/contract'
import { createClient } from '../../src/holder/openid-provider/clients/create-client.ts'
import type { ApiResponse } from '../caller.ts'
import type { Merchant, Service } from '../service.ts'
import { openWallet, type HolderChannel, type WalletOptions } from '../wallet.ts'
import { openCookieJar, type BrowserEnd, type CookieJar, type PlainRequest } from './cookie-jar.ts'

export const callback = 'https://shop.example/callback'

export type Site = {
  issuer: string
  client_id: string
  secret: string | undefined
  merchant: Merchant
  /** The parameters of an authorization request with its verifier. */
  request(changed?: Record<string, string | undefined>): { params: URLSearchParams; verifier: string }
  /** Opens an authorization request in a browser, up to our page or back to the site. */
  authorize(browser: CookieJar, params: URLSearchParams): Promise<BrowserEnd>
  /** Responds as a wallet, and lets the browser come back to the site. */
  respond(browser: CookieJar, id: string, options?: RespondOptions): Promise<URL>
  /** The whole way to a code. */
  obtainCode(options?: ObtainCode): Promise<Obtained>
  exchange(form: Record<string, string | undefined>, headers?: Record<string, string>): Promise<ApiResponse>
  userinfo(token: string, init?: PlainRequest): Promise<ApiResponse>
  /** The same site, after its tenant has moved to another cell. */
  at(other: Service): Site
}

type Obtained = { id: string; code: string; verifier: string; returned: URL; browser: CookieJar }
type RespondOptions = WalletOptions & { channel?: HolderChannel }
export type ObtainCode = RespondOptions & { changed?: Record<string, string | undefined> }

/** A site that is registered as a client of a merchant, over real HTTP. */
export async function registerSite(
  service: Service,
  {
    merchant: given,
    environment = 'test',
    ...settings
  }: Partial<OpenIdClientInput> & { merchant?: Merchant; environment?: Environment } = {},
): Promise<Site> {
  const merchant = given ?? (await service.tenant())
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const created = await createClient(service.ctx, {
    by,
    environment,
    name: 'A shop',
    redirect_uris: [callback],
    templates: ['age_over_18'],
    purpose: 'To sell you wine',
    authentication: 'secret',
    id_token_algorithm: 'RS256',
    cross_device: false,
    pkce_required: true,
    ...settings,
  })
  const { BASE_URL, CELL } = service.ctx.config
  const issuer = `${BASE_URL}/oidc/${CELL}${merchant.tenant_id}`
  return openSite(service, { issuer, merchant, ...created, settings })
}

type RegisteredSite = Pick<Site, 'issuer' | 'client_id' | 'secret' | 'merchant'> & {
  settings: Partial<OpenIdClientInput>
}

/** A client that was created before, as a site. */
export function openSite(service: Service, registered: RegisteredSite): Site {
  const { issuer, client_id, secret, merchant, settings } = registered
  const { BASE_URL } = service.ctx.config
  const call = async (url: string, init?: RequestInit): Promise<ApiResponse> => {
    const response = await fetch(url.replace(BASE_URL, service.address), init)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }

  const site: Site = {
    issuer,
    client_id,
    secret,
    merchant,
    request(changed = {}) {
      const verifier = randomBytes(32).toString('base64url')
      const given: Record<string, string | undefined> = {
        response_type: 'code',
        client_id,
        redirect_uri: settings.redirect_uris?.[0] ?? callback,
        scope: `openid vidimus:${settings.templates?.[0] ?? 'age_over_18'}`,
        state: randomBytes(16).toString('base64url'),
        nonce: randomBytes(16).toString('base64url'),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...changed,
      }
      const params = Object.entries(given).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      )
      return { params: new URLSearchParams(params), verifier }
    },
    authorize: (browser, params) => browser.open(`${issuer}/authorize?${params.toString()}`),
    async respond(browser, id, { channel = 'redirect', ...options } = {}) {
      const wallet = await openWallet(service.ctx, service.address, options)
      const responded = await wallet.respondOver(channel, id)
      if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
      const { redirect_uri } = JSON.parse(responded.body) as { redirect_uri?: string }
      const end = await browser.comeBack(redirect_uri ?? (await browser.readReturnUrl(id)))
      if (!('returned' in end)) throw new Error(`The browser did not return: ${JSON.stringify(end)}`)
      return end.returned
    },
    async obtainCode({ changed, ...options } = {}) {
      const browser = openCookieJar(service)
      const { params, verifier } = site.request(changed)
      const end = await site.authorize(browser, params)
      if (!('id' in end)) throw new Error(`There is no verification: ${JSON.stringify(end)}`)
      const returned = await site.respond(browser, end.id, options)
      return { id: end.id, code: returned.searchParams.get('code') ?? '', verifier, returned, browser }
    },
    exchange(form, headers = {}) {
      const given = {
        grant_type: 'authorization_code',
        redirect_uri: settings.redirect_uris?.[0] ?? callback,
        ...(secret === undefined || 'authorization' in headers ? {} : { client_id, client_secret: secret }),
        ...form,
      }
      const fields = Object.entries(given).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      )
      return call(`${issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(fields) })
    },
    at: (other) => openSite(other, registered),
    userinfo: (token, init = {}) =>
      call(`${issuer}/userinfo`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }),
  }
  return site
}
