import type { JSONWebKeySet } from 'jose'
import type { ApiResponse } from '../../caller.ts'
import { startService, type Service } from '../../service.ts'
import { openCookieJar, type CookieJar } from '../cookie-jar.ts'
import { registerSite, type Site } from '../site.ts'
import {
  checkIdToken,
  checkSuccessResponse,
  checkTokenResponse,
  checkUserinfo,
  type Claims,
} from './conditions.ts'

/** The part of the discovery document that modules use. */
type Metadata = Record<
  'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint' | 'jwks_uri',
  string
> &
  Record<'scopes_supported' | 'grant_types_supported' | 'id_token_signing_alg_values_supported', string[]>

/** Our service as the provider under test, with a client that is registered as the suite asks for. */
export type Provider = {
  service: Service
  site: Site
  metadata: Metadata
  jwks: JSONWebKeySet
  /** Calls an address of the discovery document. */
  call: (url: string, init?: RequestInit) => Promise<ApiResponse>
} & AsyncDisposable

/** The suite demands https of every address. A proxy provides it; the test calls what is behind. */
export async function startProvider(): Promise<Provider> {
  const BASE_URL = 'https://id.example'
  const service = await startService({ environment: { BASE_URL } })
  const site = await registerSite(service, { pkce_required: false })
  const call: Provider['call'] = async (url, init) => {
    const response = await fetch(url.replace(BASE_URL, service.address), { redirect: 'manual', ...init })
    const text = await response.text()
    const body = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, body }
  }
  const metadata: Metadata = (await call(`${site.issuer}/.well-known/openid-configuration`)).body
  const { body: jwks } = await call(metadata.jwks_uri)
  return {
    service,
    site,
    metadata,
    jwks,
    call,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

export type Flow = {
  browser: CookieJar
  code: string
  id_token: string
  claims: Claims
  access_token: string
  userinfo: Claims
  /** What the token endpoint answered. */
  response: Record<string, unknown>
}

export type FlowOptions = {
  changed?: Record<string, string | undefined>
  /** Sends PKCE, as the suite does in one module only. */
  pkce?: boolean
  authentication?: 'client_secret_basic' | 'client_secret_post'
  browser?: CookieJar
  /** Sends the request in another way. By default the browser opens the authorization endpoint. */
  send?: (browser: CookieJar, params: URLSearchParams) => ReturnType<CookieJar['open']>
}

/** A request of the suite. Its scope is `openid` alone, and the client's only template is asked. */
export function makeRequest(
  { site }: Provider,
  { changed, pkce = false }: Pick<FlowOptions, 'changed' | 'pkce'> = {},
): { params: URLSearchParams; verifier: string | undefined } {
  const without = { code_challenge: undefined, code_challenge_method: undefined }
  const { params, verifier } = site.request({ scope: 'openid', ...(!pkce && without), ...changed })
  return { params, verifier: pkce ? verifier : undefined }
}

/** The way of every successful module: request, wallet, code, tokens, userinfo, with the checks that the suite makes at each step. */
export async function runFlow(provider: Provider, options: FlowOptions = {}): Promise<Flow> {
  const { site, service, jwks } = provider
  const { browser = openCookieJar(service), authentication } = options
  const { params, verifier } = makeRequest(provider, options)
  const end = await (options.send === undefined
    ? site.authorize(browser, params)
    : options.send(browser, params))
  if (!('id' in end)) throw new Error(`There is no verification: ${JSON.stringify(end)}`)
  const returned = await site.respond(browser, end.id)
  const code = checkSuccessResponse(returned, params, site.issuer)
  const proof = verifier === undefined ? {} : { code_verifier: verifier }
  const exchanged = await exchange(provider, { code, ...proof }, authentication)
  checkTokenResponse(exchanged)
  const { access_token, id_token } = exchanged.body
  const claims = await checkIdToken(id_token, {
    jwks,
    issuer: site.issuer,
    client_id: site.client_id,
    nonce: params.get('nonce'),
    access_token,
  })
  const userinfo = checkUserinfo(await site.userinfo(access_token), claims)
  return { browser, code, id_token, claims, access_token, userinfo, response: exchanged.body }
}

/** Calls the token endpoint as the client that is registered. */
export function exchange(
  { site, metadata, call }: Provider,
  form: Record<string, string>,
  authentication: FlowOptions['authentication'] = 'client_secret_basic',
): Promise<ApiResponse> {
  const { client_id, secret: client_secret = '' } = site
  const fields = {
    grant_type: 'authorization_code',
    redirect_uri: site.request().params.get('redirect_uri') ?? '',
    ...(authentication === 'client_secret_post' && { client_id, client_secret }),
    ...form,
  }
  const pair = [client_id, client_secret].map((half) => encodeURIComponent(half)).join(':')
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  return call(metadata.token_endpoint, {
    method: 'POST',
    headers: authentication === 'client_secret_basic' ? { authorization } : {},
    body: new URLSearchParams(fields),
  })
}
