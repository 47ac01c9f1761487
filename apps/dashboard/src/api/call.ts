import type { dashboardRoutes } from '@vidimus/contract'
import { dashboardPaths, type DashboardOperation } from '@vidimus/contract/dashboard-paths'
import { ApiError, LocalError } from './error.ts'
import { signWithPasskey } from './passkey.ts'
import { requestConfirmation } from './request-confirmation.ts'

type Routes = typeof dashboardRoutes
type Path<Op extends DashboardOperation> = (typeof dashboardPaths)[Op]['path']
type PathParameterNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameterNames<Rest>
  : never
type SchemaInput<Shape> = Shape extends { _zod: { input: infer Given } } ? Given : never

/** The response body of an operation. Schemas are used as types only: the service has validated what it sends. */
export type OperationOutput<Op extends DashboardOperation> = Routes[Op]['success']['body']['_zod']['output']

/** Path parameters, query and JSON body of an operation, as its path and schemas define them. */
export type OperationInput<Op extends DashboardOperation> = ([PathParameterNames<Path<Op>>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParameterNames<Path<Op>>, string> }) &
  (Routes[Op] extends { query: infer Query } ? { query?: SchemaInput<Query> } : { query?: undefined }) &
  (Routes[Op] extends { json: infer Json } ? { json: SchemaInput<Json> } : { json?: undefined })

type AnyInput = {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  json?: unknown
}

/** Calls an operation of the dashboard API. Every failure is an ApiError or a LocalError, which ErrorMessage can show. */
export async function call<Op extends DashboardOperation>(
  op: Op,
  input: OperationInput<Op>,
  signal?: AbortSignal,
): Promise<OperationOutput<Op>> {
  const response = await confirmIfRequired(() => send(op, input, signal))
  return (await response.json()) as OperationOutput<Op> // the service serialises by the same schema
}

/** Downloads a file for which a confirmation may be required. Other files are links, which the browser saves as they arrive. */
export async function download<Op extends DashboardOperation>(
  op: Op,
  input: OperationInput<Op>,
  fileName: string,
): Promise<void> {
  const response = await confirmIfRequired(() => send(op, input))
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Repeats a request that was refused because the member has not confirmed their presence lately, once they have. */
async function confirmIfRequired<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error
    await requestConfirmation()
    return request()
  }
}

async function send<Op extends DashboardOperation>(
  op: Op,
  input: OperationInput<Op>,
  signal?: AbortSignal,
): Promise<Response> {
  const { json } = input as AnyInput
  return fetchWithRetry(operationUrl(op, input), {
    method: dashboardPaths[op].method,
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(signal !== undefined && { signal }),
  })
}

/** Asks for the member's passkey again. A member without one is sent to the identity provider and returns to this page. */
export async function confirmIdentity(): Promise<void> {
  const { options } = await call('startConfirmation', {})
  if (options !== undefined) {
    await call('confirmWithPasskey', { json: { response: await signWithPasskey(options) } })
    return
  }
  const { location: provider } = await call('startOidcSignIn', {
    json: { return_to: location.pathname, fresh: true },
  })
  location.assign(provider)
  throw new LocalError('confirming')
}

export function operationUrl<Op extends DashboardOperation>(op: Op, input: OperationInput<Op>): string {
  const { params = {}, query = {} } = input as AnyInput
  const path = dashboardPaths[op].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters).toString()}`
}

const maxTries = 4
const retryDelay_ms = 1000

/** A busy process refuses with `overloaded` before it does anything, so the request can be repeated safely. */
async function fetchWithRetry(address: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetchOnce(address, init)
    if (response.ok) return response
    const refusal = await toApiError(response)
    if (refusal.code !== 'overloaded' || tries === maxTries) throw refusal
    await new Promise((resolve) => setTimeout(resolve, retryDelay_ms))
  }
}

async function fetchOnce(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { credentials: 'same-origin', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new LocalError('unreachable')
  }
}

async function toApiError(response: Response): Promise<ApiError | LocalError> {
  const request_id = response.headers.get('x-request-id') ?? undefined
  const { status } = response
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    // Nobody is signed in with a 401, and a request without an environment is in no log.
    const environment = /\/dashboard\/api\/(test|live)\//.exec(response.url)?.[1]
    const logged_in = status === 401 ? undefined : environment
    return new ApiError(error.message, { status, code: error.code, request_id, logged_in })
  } catch {
    // A proxy answered in place of the service, so the body is not our error envelope.
    return new LocalError('not_our_response', { status: String(status) })
  }
}
