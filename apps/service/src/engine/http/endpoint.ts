import type { Readable } from 'node:stream'
import type { DashboardRoute, ErrorCode, ManagedRoute, OperatorRoute, Route, Scope } from '@vidimus/contract'
import type { z } from 'zod'
import type {
  ApiRequest,
  AuthenticatedOperator,
  AuthenticatedSession,
  DevicePrincipal,
  KeyPrincipal,
  Member,
  OperatorPrincipal,
} from '../basics/principal.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import type { Keyring } from '../keyring/open.ts'
import type { AddressKey, Limiter } from '../limits/limiter.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'

/** A parsed and validated request: a handler never sees unvalidated input. */
export type Call<R extends Route = Route> = {
  principal: R extends { scope: Scope } ? KeyPrincipal | DevicePrincipal : undefined
  params: SchemaOutput<R, 'params'>
  query: SchemaOutput<R, 'query'>
  body: R extends { json: infer S extends z.ZodType } ? z.output<S> : SchemaOutput<R, 'form'>
  /** The parsed body before its schema added defaults. */
  sent: unknown
  /** The text of the body. */
  raw: string
  /** A header of the request, by its lower-case name. */
  header: (name: string) => string | undefined
  /** Sets a header of the response, also of an error that is thrown later. */
  setHeader: (name: string, value: string) => void
  /** The address of the caller, as it is counted. */
  address: AddressKey
  request_id: string
}

/** What is known of a request before its body is read. */
export type CallHead<R extends Route = Route> = Pick<Call<R>, 'params' | 'header' | 'setHeader'>

type SchemaOutput<R, Part extends string> = R extends { [Key in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

type ResponseHeaders = Record<string, string | string[]>

/** The body of a successful response, or its stored text if the same bytes must be sent again. */
export type EndpointResponse<Body> = ({ body: Body } | { text: string } | { stream: Readable }) & {
  headers?: ResponseHeaders
  /** The verification that was created, for the request log. */
  verification_id?: string | undefined
  /** Instead of the route's own status: a redirect, or an error that the route writes itself. */
  status?: 303 | 400 | 401 | 404 | 410 | 429 | 503
}

/**
 * What is sent in place of the error envelope: a page that people read in a browser, or JSON in the form of another standard. Undefined for
 * the envelope.
 */
export type ErrorPage = (request: {
  url: string
  accept: string | undefined
  acceptLanguage: string | undefined
  request_id: string
  error: { code: ErrorCode; status: number; message: string }
}) =>
  | {
      text: string
      /** HTML by default. */
      media?: string
      headers: Record<string, string>
    }
  | undefined

/** Whether a person's browser asks, for a page to show. Programs and scripts ask for anything, or for JSON. */
export function acceptsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true
}

/** A route of the contract with its use case. */
export type Endpoint = {
  route: Route
  handle: (call: Call) => Promise<EndpointResponse<unknown>>
  /** Under load, a route with `shedLast` still serves while others already respond with 503. */
  shedLast: boolean
  /** Called before a large body is read. Throws a Refusal if the request will be refused whatever its body contains. */
  admit?: ((call: CallHead) => Promise<void>) | undefined
  /** Called before a body is refused as invalid. What it throws is sent instead. */
  beforeInvalid?: (() => Promise<void>) | undefined
  /** Whether pages of an origin may call this path, for preflight requests. If absent, `any_origin` decides. */
  allowsOrigin?: ((call: Pick<Call, 'params'>, origin: string) => Promise<boolean>) | undefined
  errorPage?: ErrorPage | undefined
  /** The verification that it creates is traced together with the request. */
  createsVerification?: boolean
  /** The path names no verification, so that only the address is limited. */
  limitedByAddress?: boolean
  /** It changes what members change in the dashboard, and counts with their changes. */
  changes?: boolean
}

type EndpointOptions<R extends Route> = {
  shedLast?: boolean
  admit?: (call: CallHead<R>) => Promise<void>
  beforeInvalid?: () => Promise<void>
  allowsOrigin?: (call: Pick<Call<R>, 'params'>, origin: string) => Promise<boolean>
  errorPage?: ErrorPage
  createsVerification?: boolean
  limitedByAddress?: boolean
  changes?: boolean
}

export function endpoint<const R extends Route>(
  route: R,
  handle: (call: Call<R>) => Promise<EndpointResponse<z.input<R['success']['body']>>>,
  { shedLast = false, createsVerification = false, ...options }: EndpointOptions<R> = {},
): Endpoint {
  // `mount` parses a call with this route's schemas, so the handler gets what its type says.
  return { route, handle, shedLast, createsVerification, ...options }
}

/** The same for a dashboard request, with the member of its session, or with the API key where keys can do the same. */
export type DashboardCall<R extends DashboardRoute = DashboardRoute> = Omit<
  Call,
  'principal' | 'params' | 'query' | 'body'
> & {
  url: string
  member: R extends { may: 'anyone' }
    ? Member | undefined
    : R extends Pick<ManagedRoute, 'method' | 'path'>
      ? Member | KeyPrincipal
      : Member
  params: SchemaOutput<R, 'params'>
  query: SchemaOutput<R, 'query'>
  body: SchemaOutput<R, 'json'>
}

export type DashboardEndpoint = {
  route: DashboardRoute
  handle: (call: DashboardCall) => Promise<EndpointResponse<unknown>>
}

export function dashboardEndpoint<const R extends DashboardRoute>(
  route: R,
  handle: (call: DashboardCall<R>) => Promise<EndpointResponse<z.input<R['success']['body']>>>,
): DashboardEndpoint {
  // As above: the call is parsed with this route's schemas.
  return { route, handle: handle as DashboardEndpoint['handle'] }
}

/** The same for a request of an operator. */
export type OperatorCall<R extends OperatorRoute = OperatorRoute> = Omit<
  Call,
  'principal' | 'params' | 'query' | 'body'
> & {
  url: string
  operator: R extends { may: 'anyone' } ? OperatorPrincipal | undefined : OperatorPrincipal
  params: SchemaOutput<R, 'params'>
  query: SchemaOutput<R, 'query'>
  body: SchemaOutput<R, 'json'>
}

export type OperatorEndpoint = {
  route: OperatorRoute
  handle: (call: OperatorCall) => Promise<EndpointResponse<unknown>>
}

export function operatorEndpoint<const R extends OperatorRoute>(
  route: R,
  handle: (call: OperatorCall<R>) => Promise<EndpointResponse<z.input<R['success']['body']>>>,
): OperatorEndpoint {
  // As above: the call is parsed with this route's schemas.
  return { route, handle: handle as OperatorEndpoint['handle'] }
}

/** What an HTTP server needs to process a request before its use case runs. */
export type ServerContext = {
  config: Pick<Config, 'TRUSTED_PROXIES' | 'BASE_URL' | 'HSTS_INCLUDE_SUBDOMAINS'>
  db: Pick<Database, 'suspended'>
  keyring: Pick<Keyring, 'mac'>
  limiter: Limiter
  log: Log
  metrics: Metrics
  scheduler: Scheduler
  /** Takes note of a finished request. Absent if nothing is recorded. */
  recordApiRequest?: ((request: ApiRequest) => void) | undefined
  /** True once the process has to stop: every response then has `Connection: close`. */
  draining: () => boolean
}

/** What the public server needs besides. */
export type HttpContext = ServerContext & {
  /** Authenticates a token. Throws the same Refusal for every kind of invalid token. The hash is its SHA-256 in hexadecimal digits. */
  authenticate: (token: string | undefined, tokenHash?: string) => Promise<KeyPrincipal | DevicePrincipal>
  /** Finds a dashboard session by its token. Undefined if it is unknown or has ended. */
  findSession: (token: string) => Promise<AuthenticatedSession | undefined>
}

/** What the operators' server needs besides. Its `BASE_URL` is that of the console. */
export type OperatorHttpContext = ServerContext & {
  /** Finds who has a session or a token `vo_…`. Undefined if it is unknown or has ended. */
  findOperator: (
    credential: { session: string } | { token: string },
  ) => Promise<AuthenticatedOperator | undefined>
}
