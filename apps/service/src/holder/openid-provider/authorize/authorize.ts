import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateVerification } from '@vidimus/contract'
import {
  type CreatedVerification,
  type VerificationContext,
  createVerification,
  lockResult,
} from '../../../verifications/index.ts'
import { readCookie, writeCookie } from '../../../engine/formats/index.ts'
import { Refusal, dayOfVerificationId } from '../../../engine/basics/index.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'
import { findClient } from '../clients/authenticate-client.ts'
import { recordProblem } from '../clients/record-problem.ts'
import type { ClientRow } from '../clients/store.ts'
import { toPrincipal } from '../client-principal.ts'
import type { Issuer } from '../issuer/issuer.ts'
import {
  browserCookie_seconds,
  codeLifetime_seconds,
  hashBrowser,
  hashRequest,
  newAuthorizationId,
  responseTime_seconds,
  returnTime_seconds,
} from '../secrets.ts'
import { OAuthError } from '../oauth-error.ts'
import {
  attachVerification,
  beginAuthorization,
  releaseRequest,
  type NewAuthorization,
  type StartedAuthorization,
} from '../store.ts'
import { buildSiteResponse, type SiteResponse } from './build-site-response.ts'
import { limitAddress } from './limit-address.ts'
import {
  chooseResponseMode,
  readAuthorizationRequest,
  readSingle,
  readState,
  type AuthorizationRequest,
  type Parameters,
  type ResponseMode,
} from './read-request.ts'

export type AuthorizeCall = { params: Parameters; cookies: string | undefined; address: AddressKey }

/** Where the browser goes next, or the problem that stops it, in English for the site's developer. */
export type BrowserStep = SiteResponse | { location: string; cookie: string } | { problem: string }

/** Added to the address once the cookie is set. Without a cookie after that, the browser accepts none. */
const cookieMark = 'vidimus_cookie'

/**
 * Answers an authorization request: creates the verification that the site asks for and sends the browser to its page. Nothing is created
 * for a browser that has no cookie yet, since programs that only follow links have none.
 */
export async function authorize(
  ctx: VerificationContext,
  issuer: Issuer,
  call: AuthorizeCall,
): Promise<BrowserStep> {
  const { params } = call
  const client = await findRequestingClient(ctx, issuer, params)
  const redirect_uri = params['redirect_uri']
  if (client === undefined) return { problem: explainUnknownClient(params) }
  // Without a registered address, there is nobody to tell about the error.
  if (typeof redirect_uri !== 'string' || !isRegistered(redirect_uri, client.redirect_uris))
    return refuseRedirect(ctx, client, redirect_uri)

  const response_mode = chooseResponseMode(params)
  let state: string | null = null
  try {
    state = readState(readSingle(params))
    const request = readAuthorizationRequest(params, { ...client, languages: issuer.languages })
    const browser = readCookie(ctx.config, 'browser', call.cookies)
    if (browser === undefined) return askForCookie(ctx, issuer, params)
    await limitAddress(ctx, client, call.address)
    const location = await startVerification(ctx, {
      issuer,
      client,
      browser,
      params,
      request,
      redirect_uri,
      response_mode,
      state,
    })
    return { location }
  } catch (error) {
    const refusal = toOAuthError(error)
    if (refusal === undefined) throw error
    await recordProblem(ctx, client, refusal)
    return buildSiteResponse(
      { redirect_uri, response_mode },
      { error: refusal.code, error_description: refusal.message, state, iss: issuer.url },
    )
  }
}

/** Compared as text (RFC 9700 §4.1.3), except for the port on which a native app listens on its own device (RFC 8252 §7.3). */
function isRegistered(given: string, registered: readonly string[]): boolean {
  const withoutPort = (uri: string) => uri.replace(loopbackPort, '$1')
  return (
    registered.includes(given) ||
    registered.some((uri) => loopbackPort.test(uri) && withoutPort(uri) === withoutPort(given))
  )
}

const loopbackPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

async function findRequestingClient(
  { db }: VerificationContext,
  { tenant_id }: Issuer,
  { client_id }: Parameters,
): Promise<ClientRow | undefined> {
  // The column takes no NUL, and no id contains one.
  return typeof client_id === 'string' && /^[\w-]{1,64}$/.test(client_id)
    ? findClient(db, { tenant_id, client_id })
    : undefined
}

function explainUnknownClient({ client_id }: Parameters): string {
  return client_id === undefined
    ? 'client_id is missing.'
    : 'client_id is not known to this issuer. Copy both from the dashboard, where they are together: OpenID clients, Set up.'
}

async function refuseRedirect(
  ctx: VerificationContext,
  client: ClientRow,
  redirect_uri: Parameters[string],
): Promise<BrowserStep> {
  const problem = explainRedirect(redirect_uri)
  await recordProblem(ctx, client, new OAuthError('invalid_request', problem))
  return { problem }
}

/**
 * Says which address was sent, so that it can be copied, if it is an address and nothing that could be read as a text. Anyone can send
 * one, so it asks whose address it is.
 */
function explainRedirect(given: Parameters[string]): string {
  if (given === undefined) return 'redirect_uri is missing.'
  const shown = typeof given === 'string' && /^[!-~]{1,300}$/.test(given) && URL.canParse(given)
  return `redirect_uri is not registered for this client. If it is an address of your own site, add it exactly as sent, on the dashboard under OpenID clients, Edit${shown ? `: ${given}` : '.'}`
}

/** Sets the cookie that recognises the browser, and redirects the browser to the same request. */
function askForCookie({ config }: VerificationContext, issuer: Issuer, params: Parameters): BrowserStep {
  if (params[cookieMark] !== undefined)
    return {
      problem: 'The browser accepts no cookies from this address. Allow them, or open the link in a browser.',
    }
  const again = new URLSearchParams({ ...(params as Record<string, string>), [cookieMark]: '1' }) // nothing is repeated: it was read
  const cookie = writeCookie(config, 'browser', {
    value: randomBytes(32).toString('base64url'),
    max_age_seconds: browserCookie_seconds,
  })
  return { location: `${issuer.url}/authorize?${again.toString()}`, cookie }
}

type NewVerification = {
  issuer: Issuer
  client: ClientRow
  browser: string
  params: Parameters
  request: AuthorizationRequest
  redirect_uri: string
  response_mode: ResponseMode
  state: string | null
}

/** The same request of the same browser finds the verification that it created before, until that authorization has ended. */
async function startVerification(
  ctx: VerificationContext,
  { issuer, client, browser, params, request, redirect_uri, response_mode, state }: NewVerification,
): Promise<string> {
  const { [cookieMark]: _mark, ...asked } = params
  const text = JSON.stringify(Object.entries(asked).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const { template, nonce, code_challenge, language } = request
  const page = (verification_id: string) =>
    `${ctx.config.BASE_URL}/verify/${verification_id}${language === undefined ? '' : `?lang=${language}`}`
  const { id, verification_id } = await begin(ctx, client, {
    restarts: request.restarts,
    authorization: {
      id: newAuthorizationId(),
      request_hash: hashRequest(ctx.keyring, { browser, request: `${client.id} ${text}` }),
      tenant_id: client.tenant_id,
      client_id: client.id,
      browser_hash: hashBrowser(ctx.keyring, browser),
      redirect_uri,
      response_mode,
      state,
      nonce,
      code_challenge,
      ends_after_seconds: returnTime_seconds,
    },
  })
  if (verification_id !== null) return page(verification_id)
  const body = CreateVerification.parse({
    template,
    redirect_url: `${issuer.url}/return/${id}`,
    ttl_seconds: responseTime_seconds,
    ...(client.purpose !== null && { purpose: client.purpose }),
  })
  const created = await createOnce(ctx, client, { id, body })
  await attachVerification(ctx.db, {
    tenant_id: client.tenant_id,
    id,
    verification_day: dayOfVerificationId(created.id) ?? '',
    verification_id: created.id,
    ends_after_seconds: returnTime_seconds,
  })
  return page(created.id)
}

/** The authorization of a request: the one in progress, or a new one. A site that asks for a new sign-in gets no earlier result. */
async function begin(
  { db }: VerificationContext,
  client: ClientRow,
  { authorization, restarts }: { authorization: NewAuthorization; restarts: boolean },
): Promise<StartedAuthorization> {
  const ended = { ...authorization, code_seconds: codeLifetime_seconds }
  await releaseRequest(db, ended)
  let started = await beginAuthorization(db, authorization)
  if (restarts && started !== undefined && (await hasResponse(db, client, started))) {
    await releaseRequest(db, { ...ended, verification_id: started.verification_id })
    started = await beginAuthorization(db, authorization)
  }
  if (started === undefined) throw new OAuthError('unauthorized_client', 'The client was just deleted.')
  return started
}

async function hasResponse(
  db: VerificationContext['db'],
  client: ClientRow,
  { verification_id }: StartedAuthorization,
): Promise<boolean> {
  const result =
    verification_id === null ? undefined : await lockResult(db, toPrincipal(client), verification_id)
  return result !== undefined && result.status !== 'pending'
}

const maxCreationAttempts = 20
const creationRetry_ms = 100

/** Two tabs, or an impatient person, may send the same request at the same time: the later one waits for what the first one creates. */
async function createOnce(
  ctx: VerificationContext,
  client: ClientRow,
  { id, body }: { id: string; body: CreateVerification },
): Promise<CreatedVerification> {
  // The id belongs to one request. What the client was registered with may change in between, so the body is not compared.
  const request = { body, sent: {}, idempotency_key: `openid:${id}` }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await createVerification(ctx, toPrincipal(client), request)
    } catch (error) {
      const inFlight = error instanceof Refusal && error.code === 'idempotency_key_in_flight'
      if (!inFlight || attempt === maxCreationAttempts) throw error
      await sleep(creationRetry_ms)
    }
  }
}

/** What the site is told. The reason of a refusal is the merchant's, not the browser's: the dashboard shows it. */
function toOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (!(error instanceof Refusal)) return undefined
  if (error.code === 'tenant_suspended' || error.code === 'tenant_not_approved')
    return new OAuthError(
      'unauthorized_client',
      'The account of this client is suspended or not approved. The dashboard shows why.',
    )
  const later = ['quota_exceeded', 'overloaded', 'idempotency_key_in_flight']
  return later.includes(error.code)
    ? new OAuthError('temporarily_unavailable', 'No verification can be created at the moment.')
    : new OAuthError(
        'server_error',
        'The verification could not be created. The dashboard shows the template and its problems.',
      )
}
