import { ApiError, LocalError } from './error.ts'
import { requestConfirmation } from './request-confirmation.ts'

type Schema = { _zod: { input: unknown; output: unknown } }
type Route = { method: string; path: string; success: { body: Schema }; query?: Schema; json?: Schema }
/** The operations of an API by their names. Schemas are used as types only: the service has validated what it sends. */
export type Routes = Readonly<Record<string, Route>>

type PathParameterNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameterNames<Rest>
  : never

/** The response body of an operation. */
export type Output<R extends Route> = R['success']['body']['_zod']['output']

/** Path parameters, query and JSON body of an operation, as its path and schemas define them. */
export type Input<R extends Route> = ([PathParameterNames<R['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParameterNames<R['path']>, string> }) &
  (R extends { query: infer Query extends Schema }
    ? { query?: Query['_zod']['input'] }
    : { query?: undefined }) &
  (R extends { json: infer Json extends Schema } ? { json: Json['_zod']['input'] } : { json?: undefined })

type AnyInput = {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  json?: unknown
}

export type Client<Api extends Routes> = {
  /** Calls an operation. Every failure is an ApiError or a LocalError, which ErrorMessage can show. */
  call: <Op extends keyof Api & string>(
    op: Op,
    input: Input<Api[Op]>,
    signal?: AbortSignal,
  ) => Promise<Output<Api[Op]>>
  /** Downloads a file for which a confirmation may be required. Other files are links, which the browser saves as they arrive. */
  download: <Op extends keyof Api & string>(op: Op, input: Input<Api[Op]>, fileName: string) => Promise<void>
  operationUrl: <Op extends keyof Api & string>(op: Op, input: Input<Api[Op]>) => string
}

/** Calls the operations of one API. A request that needs a confirmation asks for it and is repeated. */
export function createClient<Api extends Routes>(
  paths: Readonly<Record<keyof Api & string, { method: string; path: string }>>,
): Client<Api> {
  const url = (op: keyof Api & string, input: unknown) => urlOf(paths[op].path, input as AnyInput) // as Input defines it
  const send = (op: keyof Api & string, input: unknown, signal?: AbortSignal) =>
    confirmIfRequired(() =>
      fetchWithRetry(url(op, input), describeRequest(paths[op].method, input as AnyInput, signal)),
    )
  return {
    async call(op, input, signal) {
      const response = await send(op, input, signal)
      return (await response.json()) as Output<Api[typeof op]> // the service serialises by the same schema
    },
    async download(op, input, fileName) {
      const response = await send(op, input)
      saveFile(await response.blob(), fileName)
    },
    operationUrl: url,
  }
}

function describeRequest(method: string, { json }: AnyInput, signal: AbortSignal | undefined): RequestInit {
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(signal !== undefined && { signal }),
  }
}

function saveFile(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

function urlOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  return parameters.length === 0 ? filled : `${filled}?${new URLSearchParams(parameters).toString()}`
}

/** Repeats a request that was refused because the person has not confirmed their presence lately, once they have. */
async function confirmIfRequired<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error
    await requestConfirmation()
    return request()
  }
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
