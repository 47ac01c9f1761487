import { ApiError } from './errors.ts'

/** The JSON of a success; anything else as an `ApiError`. */
export async function readAnswer<Body>(response: Response): Promise<Body> {
  const text = await response.text()
  const body = parse(text)
  if (response.ok && body !== undefined) return body as Body // the contract's, which the service keeps
  throw refusalOf(response, body)
}

function refusalOf(response: Response, body: unknown): ApiError {
  const { code, message } = envelopeOf(body) ?? {
    code: 'unreadable_answer',
    message: `the answer with status ${response.status} is not the service's: is the base address right, or is a proxy in between?`,
  }
  return new ApiError({
    status: response.status,
    code,
    message,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    help: /<([^>]+)>;\s*rel="help"/.exec(response.headers.get('link') ?? '')?.[1],
  })
}

function envelopeOf(body: unknown): { code: string; message: string } | undefined {
  if (!isObject(body) || !isObject(body['error'])) return undefined
  const { code, message } = body['error']
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON: the caller says so with the status
  }
}
