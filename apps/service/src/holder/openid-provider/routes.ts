import { HolderLanguage, type Route } from '@vidimus/contract'
import { chooseLanguage, type Language } from '@vidimus/holder-texts'
import { z } from 'zod'
import type { VerificationContext } from '../../verifications/index.ts'
import { type Endpoint, type EndpointResponse, type ErrorPage, endpoint } from '../../engine/http/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { pageAssets } from '../page/layout.ts'
import { authorize, type BrowserStep } from './authorize/authorize.ts'
import { renderFormPost, returnToSite } from './authorize/return.ts'
import { renderProblem, renderReturn } from './authorize/pages.ts'
import type { Parameters } from './authorize/read-request.ts'
import { type Issuer, describeIssuer, findIssuer } from './issuer/issuer.ts'
import { readPublicKeys } from './issuer/store.ts'
import { jwksMaxAge_seconds } from './secrets.ts'
import { OAuthError } from './oauth-error.ts'
import { exchangeCode } from './token/exchange.ts'
import { getUserinfo } from './token/userinfo.ts'

const params = z.object({ issuer: z.string() })
const returnParams = z.object({ issuer: z.string(), id: z.string().regex(/^[\w-]{22}$/) })
const form = z.record(z.string(), z.string())
const json = z.record(z.string(), z.unknown())
const page = { status: 200, body: z.string(), media: 'text/html; charset=utf-8' } as const

const SiteResponseBody = z.union([
  z.strictObject({ location: z.string() }),
  z.strictObject({ form: z.strictObject({ action: z.string(), fields: form }) }),
])

/** Not part of the published API: OpenID Connect describes these, and the discovery document says where they are. */
const routes = {
  getConfiguration: {
    method: 'GET',
    path: '/oidc/{issuer}/.well-known/openid-configuration',
    summary: 'The discovery document of an issuer',
    params,
    success: { status: 200, body: json },
    any_origin: true,
  },
  getKeys: {
    method: 'GET',
    path: '/oidc/{issuer}/jwks',
    summary: 'The keys that sign ID tokens',
    params,
    success: { status: 200, body: json },
    any_origin: true,
  },
  authorize: {
    method: 'GET',
    path: '/oidc/{issuer}/authorize',
    summary: 'Starts a verification for a site',
    params,
    query: z.looseObject({}),
    success: page,
  },
  postAuthorize: {
    method: 'POST',
    path: '/oidc/{issuer}/authorize',
    summary: 'The same from a form',
    params,
    form,
    success: page,
  },
  showReturn: {
    method: 'GET',
    path: '/oidc/{issuer}/return/{id}',
    summary: 'Sends the browser back to the site',
    params: returnParams,
    query: HolderLanguage,
    success: page,
  },
  postReturn: {
    method: 'POST',
    path: '/oidc/{issuer}/return/{id}',
    summary: 'The same with the code that the wallet gave to the browser',
    params: returnParams,
    json: z.strictObject({ response_code: z.string().min(1).max(128) }),
    success: { status: 200, body: SiteResponseBody },
  },
  token: {
    method: 'POST',
    path: '/oidc/{issuer}/token',
    summary: 'Exchanges a code',
    params,
    form,
    success: { status: 200, body: json },
    any_origin: true,
  },
  getUserinfo: {
    method: 'GET',
    path: '/oidc/{issuer}/userinfo',
    summary: 'The claims again',
    params,
    success: { status: 200, body: json },
    any_origin: true,
  },
  postUserinfo: {
    method: 'POST',
    path: '/oidc/{issuer}/userinfo',
    summary: 'The same by POST',
    params,
    success: { status: 200, body: json },
    any_origin: true,
  },
} as const satisfies Record<string, Route>

type PageRequest = {
  acceptLanguage: string | undefined
  request_id: string
  /** The languages that the tenant offers. Absent: all. */
  offered?: readonly Language[] | undefined
}

/** The OpenID Connect bridge. `pageFolder` is where the holder's page was built, whose style its pages share. */
export function openidRoutes(ctx: VerificationContext, pageFolder: string): Endpoint[] {
  const assets = pageAssets(pageFolder)
  const errorPage: ErrorPage = ({ url, error, ...request }) => {
    const problem = error.status < 429 ? error.message : 'Try again in a moment.'
    return showProblem(problem, new URLSearchParams(url.split('?')[1]), request)
  }
  const forBrowsers = { limitedByAddress: true, shedLast: true, errorPage }
  const forSites = { limitedByAddress: true, shedLast: true, errorPage: toOAuthBody }

  return [
    endpoint(
      routes.getConfiguration,
      async (call) => ({
        body: describeIssuer(await requireIssuer(ctx, call.params.issuer)),
        headers: keepFor,
      }),
      forSites,
    ),
    endpoint(
      routes.getKeys,
      async (call) => {
        const { tenant_id } = await requireIssuer(ctx, call.params.issuer)
        const keys = await readPublicKeys(ctx.db, tenant_id)
        return { body: { keys: keys.map(({ public_jwk }) => public_jwk) }, headers: keepFor }
      },
      forSites,
    ),
    endpoint(
      routes.authorize,
      async ({ params: { issuer: name }, query, header, address, request_id }) => {
        const given = query as Parameters // the framework parses a query into strings and arrays of strings
        const issuer = await requireIssuer(ctx, name)
        const step = await authorize(ctx, issuer, {
          params: given,
          cookies: header('cookie'),
          address,
        })
        const request = { acceptLanguage: header('accept-language'), request_id, offered: issuer.languages }
        return send(step, toQuery(given), request)
      },
      { ...forBrowsers, createsVerification: true },
    ),
    endpoint(
      routes.postAuthorize,
      async ({ params: { issuer }, body }) => {
        const { url } = await requireIssuer(ctx, issuer)
        // A browser sends no cookie with another site's form, but does with the redirect that follows.
        return redirect(`${url}/authorize?${new URLSearchParams(body).toString()}`)
      },
      forBrowsers,
    ),
    endpoint(
      routes.showReturn,
      async ({ params: { issuer: name, id }, query, header, request_id }) => {
        const issuer = await requireIssuer(ctx, name)
        const step = await returnToSite(ctx, issuer, { id, cookies: header('cookie') })
        const request = { acceptLanguage: header('accept-language'), request_id, offered: issuer.languages }
        if (!('needs' in step)) return send(step, toQuery(query), request)
        const { acceptLanguage, offered } = request
        const language = chooseLanguage(query.lang, acceptLanguage, offered)
        return renderReturn({ language, offered, assets: assets(), response_mode: step.response_mode })
      },
      forBrowsers,
    ),
    endpoint(
      routes.postReturn,
      async ({ params: { issuer, id }, body, header }) => {
        const step = await returnToSite(ctx, await requireIssuer(ctx, issuer), {
          id,
          cookies: header('cookie'),
          response_code: body.response_code,
        })
        if ('needs' in step || 'problem' in step)
          throw new Refusal('not_found', 'This browser did not start the verification.')
        return { body: 'form' in step ? { form: step.form } : { location: step.location } }
      },
      { limitedByAddress: true, shedLast: true },
    ),
    endpoint(
      routes.token,
      ({ params: { issuer }, body, header }) =>
        respondToSite(async () => ({
          body: await exchangeCode(ctx, await requireIssuer(ctx, issuer), {
            form: body,
            authorization: header('authorization'),
          }),
        })),
      forSites,
    ),
    ...[routes.getUserinfo, routes.postUserinfo].map((route) =>
      endpoint(
        route,
        ({ params: { issuer }, header }) =>
          respondToSite(async () => {
            const token = /^Bearer +([\w-]+) *$/i.exec(header('authorization') ?? '')?.[1]
            return { body: await getUserinfo(ctx, await requireIssuer(ctx, issuer), token) }
          }),
        forSites,
      ),
    ),
  ]

  function send(step: BrowserStep, query: URLSearchParams, request: PageRequest): EndpointResponse<string> {
    if ('problem' in step) return { status: 400, ...showProblem(step.problem, query, request) }
    if ('location' in step) return redirect(step.location, 'cookie' in step ? step.cookie : undefined)
    const { acceptLanguage, offered } = request
    const language = readLanguage(query, acceptLanguage, offered)
    return renderFormPost({ language, offered, form: step.form, query, assets: assets() })
  }

  /** Links to other languages repeat the query, so that they lead to the same page. */
  function showProblem(problem: string, query: URLSearchParams, request: PageRequest) {
    const { acceptLanguage, request_id, offered } = request
    const language = readLanguage(query, acceptLanguage, offered)
    return renderProblem({ language, offered, problem, request_id, query, assets: assets() })
  }
}

/** The language in the query, or the browser's. Removes it from the query, so that the links of the page can add another one. */
function readLanguage(
  query: URLSearchParams,
  acceptLanguage: string | undefined,
  offered: readonly Language[] | undefined,
): Language {
  const language = chooseLanguage(query.get('lang') ?? undefined, acceptLanguage, offered)
  query.delete('lang')
  return language
}

function toQuery(given: Parameters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value = []] of Object.entries(given))
    for (const each of [value].flat()) query.append(name, each)
  return query
}

const unknownIssuer =
  'There is no such issuer. Copy it from the dashboard: OpenID clients, Set up. Check that no character is missing at its end.'

const keepFor = { 'cache-control': `public, max-age=${jwksMaxAge_seconds}` }

async function requireIssuer(ctx: VerificationContext, id: string): Promise<Issuer> {
  const issuer = await findIssuer(ctx, id)
  if (issuer === undefined) throw new Refusal('not_found', unknownIssuer)
  return issuer
}

/** 303, so that a POST is not repeated at the site. */
function redirect(location: string, cookie?: string): EndpointResponse<never> {
  return {
    status: 303,
    text: '',
    headers: { location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
  }
}

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Runs a request from a site's server, and writes its errors as OAuth does (RFC 6749 §5.2, RFC 6750 §3). */
async function respondToSite<Body>(
  run: () => Promise<{ body: Body }>,
): Promise<EndpointResponse<Body | Record<string, unknown>>> {
  try {
    return { ...(await run()), headers: noStore }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { code, message } = error
    const scheme = { invalid_client: 'Basic realm="token"', invalid_token: 'Bearer error="invalid_token"' }[
      code as string
    ]
    return {
      status: scheme === undefined ? 400 : 401,
      body: { error: code, error_description: message },
      headers: { ...noStore, ...(scheme !== undefined && { 'www-authenticate': scheme }) },
    }
  }
}

/** Every other error, such as an exceeded rate limit, in the form that OAuth clients expect. A description has no quotes (RFC 6749 §5.2). */
const toOAuthBody: ErrorPage = ({ error: { message, status } }) => ({
  text: JSON.stringify({
    error: status >= 429 ? 'temporarily_unavailable' : 'invalid_request',
    error_description: message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'"),
  }),
  media: 'application/json; charset=utf-8',
  headers: {},
})
