import { ApiError } from './errors.ts'

/** The JSON of a success; anything else as an `ApiError`. */
export async function readResponse<Body>(response: Response): Promise<Body> {
  const text = await response.text()
  const body = parseJson(text)
  if (response.ok && body !== undefined) return body as Body // the contract's, which the service keeps
  throw toApiError(response, body)
}

function toApiError(response: Response, body: unknown): ApiError {
  const { code, message } = parseEnvelope(body) ?? {
    code: 'unreadable_answer',
    message: `the answer with status ${response.status} is not the service's: is the base address right, or is a proxy in between?`,
  }
  return new ApiError({
    status: response.status,
    code,
    message,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: parseSeconds(response.headers.get('retry-after')),
    help: /<([^>]+)>;\s*rel="help"/.exec(response.headers.get('link') ?? '')?.[1],
  })
}

function parseEnvelope(body: unknown): { code: string; message: string } | undefined {
  if (!isObject(body) || !isObject(body['error'])) return undefined
  const { code, message } = body['error']
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parseSeconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON: the caller says so with the status
  }
}
