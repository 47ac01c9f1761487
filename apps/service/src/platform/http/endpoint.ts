import type { Readable } from 'node:stream'
import type { DashboardRoute, Route, Scope } from '@vidimus/contract'
import type { z } from 'zod'
import type { DevicePrincipal, KeyPrincipal, Member } from '../principal.ts'

/** One request, read and checked: a handler never looks at what a caller sent before its schema has. */
export type Call<R extends Route = Route> = {
  principal: R extends { scope: Scope } ? KeyPrincipal | DevicePrincipal : undefined
  params: SchemaOutput<R, 'params'>
  query: SchemaOutput<R, 'query'>
  body: R extends { json: infer S extends z.ZodType } ? z.output<S> : SchemaOutput<R, 'form'>
  /** The body as it was parsed, before its schema filled in what was left out. */
  sent: unknown
  /** The body's text. */
  raw: string
  /** A header of the request, by its lower-case name. */
  header: (name: string) => string | undefined
  ip: string
  request_id: string
}

type SchemaOutput<R, Part extends string> = R extends { [Key in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

type ResponseHeaders = Record<string, string | string[]>

/** The body of a success, or its text as it was stored when the same bytes have to go out again. */
export type EndpointResponse<Body> = ({ body: Body } | { text: string } | { stream: Readable }) & {
  headers?: ResponseHeaders
}

/** A route of the contract with the use case behind it. */
export type Endpoint = {
  route: Route
  handle: (call: Call) => Promise<EndpointResponse<unknown>>
  /** Under pressure a route that is shed last still serves when others already answer 503. */
  shedLast: boolean
  /** Asked before a large body is read: throws a Refusal when the request will be refused whatever its body says. */
  admit?: ((call: Pick<Call, 'params'>) => Promise<void>) | undefined
}

type EndpointOptions<R extends Route> = {
  shedLast?: boolean
  admit?: (call: Pick<Call<R>, 'params'>) => Promise<void>
}

export function endpoint<const R extends Route>(
  route: R,
  handle: (call: Call<R>) => Promise<EndpointResponse<z.input<R['success']['body']>>>,
  { shedLast = false, admit }: EndpointOptions<R> = {},
): Endpoint {
  // `mount` fills a call by this route's own schemas, so the handler gets what its type says.
  return { route, handle, shedLast, admit }
}

/** One request of the dashboard: likewise, with the member whose session it came with. */
export type DashboardCall<R extends DashboardRoute = DashboardRoute> = Omit<
  Call,
  'principal' | 'params' | 'query' | 'body'
> & {
  url: string
  member: R extends { may: 'anyone' } ? Member | undefined : Member
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
  // As above: what fills the call are this route's own schemas.
  return { route, handle: handle as DashboardEndpoint['handle'] }
}
