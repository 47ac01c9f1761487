import { setTimeout as sleep } from 'node:timers/promises'
import { createIssuer, findPersona, respond, createWallet } from '@vidimus/sandbox'
import type { WebhookReceiver } from './receiver.ts'

/** The service under test. The base URL and one key are required; everything else enables more checks. */
export type Target = {
  base_url: string
  /** A test key with all four scopes. */
  key: string
  /** A key of another tenant with all four scopes. */
  other_key?: string | undefined
  /** A key of the same tenant with only `verifications:read`. */
  read_key?: string | undefined
  /** A live key of the same tenant. */
  live_key?: string | undefined
  expired_key?: string | undefined
  /** A key of a tenant with at most 20 verifications left today, which are used up. */
  quota_key?: string | undefined
  /** Responds to a request as an adult with a trusted credential. */
  wallet?: ((wallet_uri: string) => Promise<{ http_status: number; body: unknown }>) | undefined
  /** The webhook receiver, with the tenant's secret. The service must be allowed to send there. */
  receiver?: WebhookReceiver | undefined
  /** Includes checks that take a minute. */
  slow?: boolean | undefined
}

export type ServiceResponse = {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a check states what it expects and fails otherwise
  body: any
}

type CallOptions = {
  /** Default: the main key. Null: no key. */
  key?: string | null | undefined
  body?: unknown
  raw?: string
  headers?: Record<string, string>
}

export type ServiceClient = {
  call: (method: string, path: string, options?: CallOptions) => Promise<ServiceResponse>
  /** Creates a session, with the template `age_over_18` by default. */
  create: (input?: Record<string, unknown>, options?: CallOptions) => Promise<ServiceResponse>
  /** Declines the request. The wallet's issuer need not be trusted for that. */
  decline: (wallet_uri: string) => Promise<{ http_status: number; body: string }>
}

const maxTries = 20

export function createServiceClient(target: Target): ServiceClient {
  return { call, create, decline }

  /** Retries while the service is overloaded. */
  async function call(method: string, path: string, options: CallOptions = {}): Promise<ServiceResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await callOnce(method, path, options)
      if (response.status !== 503 || attempt === maxTries) return response
      await sleep(200)
    }
  }

  async function callOnce(
    method: string,
    path: string,
    { key = target.key, body, raw, headers }: CallOptions,
  ): Promise<ServiceResponse> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${target.base_url}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  }

  function create(input: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ServiceResponse> {
    const body = 'query' in input || 'template' in input ? input : { template: 'age_over_18', ...input }
    return call('POST', '/v1/verifications', { ...options, body: body })
  }

  async function decline(wallet_uri: string) {
    const persona = findPersona('adult')
    if (persona === undefined) throw new Error('The sandbox has no persona named adult.')
    const now = new Date()
    const result = await respond({
      wallet: createWallet(persona, { issuer: createIssuer({ now }), now }),
      wallet_uri,
      fetch: (url: string, init?: RequestInit) => fetch(url, init),
      now: () => new Date(),
      sleep: (ms: number) => sleep(ms),
      behaviour: 'declines',
    })
    if (result.sent) return result
    const [violation] = result.violations
    throw new Error(`the sandbox wallet rejects the request: ${violation?.rule}: ${violation?.message}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The check reports what it expected.
  }
}
