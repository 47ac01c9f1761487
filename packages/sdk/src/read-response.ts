import { ApiError } from './errors.ts'

/** Returns the JSON body of a success, or its text if another media type is expected; throws an `ApiError` for anything else. */
export async function readResponse(response: Response, textType?: string): Promise<unknown> {
  const text = await response.text()
  if (response.ok && textType !== undefined && response.headers.get('content-type')?.startsWith(textType))
    return text
  const body = parseJson(text)
  if (response.ok && body !== undefined) return body
  throw toApiError(response, body)
}

function toApiError(response: Response, body: unknown): ApiError {
  const { code, message } = parseEnvelope(body) ?? {
    code: 'unreadable_answer',
    message: `The response with status ${response.status} is not from the service. Check baseUrl, and whether a proxy responded instead.`,
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
    return undefined // Not JSON: the caller reports the status.
  }
}
