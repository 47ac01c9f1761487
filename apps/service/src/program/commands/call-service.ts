import type { z } from 'zod'
import { ErrorEnvelope } from '@vidimus/contract'
import { developerVariables } from '../../engine/config/index.ts'
import { CommandError, UsageError } from './command.ts'
import { readCredentials } from './credentials.ts'

/** Options of the commands that call a service with a key. */
export const serviceOptions = {
  key: { type: 'string', description: 'the key (default: VIDIMUS_KEY, or that of `vidimus login`)' },
  url: {
    type: 'string',
    description:
      'URL of the service (default: VIDIMUS_URL, that of `vidimus login`, or http://localhost:8080)',
  },
} as const

export type Service = { url: string; key: string }

/** Where the commands of a merchant's developer call. A stored key is only sent to the service that it was stored for. */
export function findService(given: { key: string | undefined; url: string | undefined }): Service {
  const variables = developerVariables()
  const stored = readCredentials()
  const url = parseServiceUrl(given.url ?? variables.url ?? stored?.url ?? 'http://localhost:8080')
  const key = given.key ?? variables.key ?? (stored?.url === url ? stored.key : undefined)
  if (key === undefined)
    throw new UsageError('--key is missing. Give it, set VIDIMUS_KEY, or run `vidimus login`')
  return { url, key }
}

export function parseServiceUrl(given: string): string {
  return parseHttpUrl('url', given).replace(/\/$/, '')
}

export function parseHttpUrl(option: string, given: string): string {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${option} must be an http or https URL`)
  return url.href
}

/** Not reachable, stopping or overloaded: a caller that can wait may try again. */
export class UnavailableError extends CommandError {
  override name = 'UnavailableError'
}

/** The service refused, with its status and code. */
export class ServiceRefusal extends CommandError {
  override name = 'ServiceRefusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type ServiceRequest = {
  method?: string
  json?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

const timeout_ms = 120_000

/** Calls a path of the service with the key. A refusal is an error with the message of the service. */
export async function callService(
  { url, key }: Service,
  path: string,
  { method = 'GET', json, headers, signal = AbortSignal.timeout(timeout_ms) }: ServiceRequest = {},
): Promise<Response> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, headers: { ...type, ...headers, authorization: `Bearer ${key}` }, signal, ...body }
  const response = await send(url + path, init)
  if (response.ok) return response
  const message = readRefusal(await response.text()) ?? `it returned status ${response.status}.`
  if (response.status >= 500) throw new UnavailableError(`${url} cannot respond: ${message}`)
  throw new ServiceRefusal(response.status, `${url} refused the request: ${message}`)
}

/** The same for a response in JSON. */
export async function callForJson<Schema extends z.ZodType>(
  service: Service,
  path: string,
  { schema, ...request }: ServiceRequest & { schema: Schema },
): Promise<z.output<Schema>> {
  const response = await callService(service, path, request)
  const body: unknown = await response.json().catch(() => undefined)
  const read = schema.safeParse(body)
  if (!read.success) throw new CommandError(`${service.url} is not a Vidimus service of this version.`)
  return read.data
}

/** A request whose failure says in a line why there is no connection. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- this is a client of the service
    return await fetch(url, init)
  } catch (error) {
    // fetch throws if it cannot connect, with the reason as its cause.
    throw new UnavailableError(`Can't connect to ${new URL(url).origin}: ${describeFailure(error)}.`)
  }
}

export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

function readRefusal(text: string): string | undefined {
  try {
    return ErrorEnvelope.safeParse(JSON.parse(text)).data?.error.message
  } catch {
    // For example an error page of a proxy.
    return undefined
  }
}
