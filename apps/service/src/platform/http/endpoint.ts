import type { Route, Scope } from '@vidimus/contract'
import type { z } from 'zod'
import type { Principal } from '../principal.ts'

/** One request, read and checked: a handler never looks at what a caller sent before its schema has. */
export type Call<R extends Route = Route> = {
  principal: R extends { scope: Scope } ? Principal : undefined
  params: Read<R, 'params'>
  query: Read<R, 'query'>
  body: R extends { json: infer S extends z.ZodType } ? z.output<S> : Read<R, 'form'>
  /** The body as it was parsed, before its schema filled in what was left out. */
  sent: unknown
  /** The body's text. */
  raw: string
  /** A header of the request, by its lower-case name. */
  header: (name: string) => string | undefined
  ip: string
  request_id: string
}

type Read<R, Part extends string> = R extends { [Key in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

type Headers = Record<string, string>

/** The body of a success, or its text as it was stored when the same bytes have to go out again. */
export type Answer<Body> = { body: Body; headers?: Headers } | { text: string; headers?: Headers }

/** A route of the contract with the use case behind it. */
export type Endpoint = {
  route: Route
  handle: (call: Call) => Promise<Answer<unknown>>
  /** Under pressure a route that is shed last still serves when others already answer 503. */
  shedLast: boolean
}

export function endpoint<const R extends Route>(
  route: R,
  handle: (call: Call<R>) => Promise<Answer<z.input<R['success']['body']>>>,
  { shedLast = false }: { shedLast?: boolean } = {},
): Endpoint {
  // `mount` fills a call by this route's own schemas, so the handler gets what its type says.
  return { route, handle, shedLast }
}
