import { setTimeout as sleep } from 'node:timers/promises'
import { Erasure, Verification } from '@vidimus/contract'
import { z } from 'zod'

/** Time limit for the whole run. */
export const canaryTimeout_ms = 60_000
/** Time between reads while a verification is pending. */
const pollInterval_ms = 250

export type CanaryLimits = {
  /** Time limit for one HTTP exchange, including the body. */
  timeout_ms: number
  /** Aborts when the whole run takes too long. */
  run: AbortSignal
}
export type CanaryTarget = CanaryLimits & { url: string; key: string }
export type ServiceClient = ReturnType<typeof serviceClient>

/** A client of the merchant API that limits the time of every call. */
export function serviceClient({ url, key, ...limits }: CanaryTarget) {
  const call = async (method: string, path: string, body?: object) => {
    const response = await exchange(
      `${url}${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      limits,
    )
    return { status: response.status, body: parseJson(await response.text()) }
  }
  return {
    async create(): Promise<{ id: string; wallet_uri: string }> {
      const { status, body } = await call('POST', '/v1/verifications', {
        template: 'age_over_18',
        purpose: 'Canary',
        ttl_seconds: 60,
      })
      expectStatus(201, status, body)
      const { id, wallet_uri } = parseBody(Verification, body)
      if (wallet_uri === undefined) throw new Error('the new verification has no wallet_uri')
      return { id, wallet_uri }
    },
    /** Polls until the verification is no longer pending. */
    async readOutcome(id: string): Promise<Verification> {
      const limit = timeoutSignal(limits)
      for (;;) {
        const { status, body } = await call('GET', `/v1/verifications/${id}`)
        expectStatus(200, status, body)
        const verification = parseBody(Verification, body)
        if (verification.status !== 'pending') return verification
        if (limit.aborted) throw new Error('the verification is still pending')
        await sleep(pollInterval_ms)
      }
    },
    /** Erases the verification and checks that it is gone. */
    async erase(id: string): Promise<void> {
      const { status, body } = await call('DELETE', `/v1/verifications/${id}`)
      expectStatus(200, status, body)
      const { deleted } = parseBody(Erasure, body)
      if (deleted.verification_sessions !== 1)
        throw new Error(`erased ${deleted.verification_sessions} verifications, not 1`)
      const reread = await call('GET', `/v1/verifications/${id}`)
      expectStatus(404, reread.status, reread.body)
    },
  }
}

/** One HTTP exchange; the time limit includes the body. Redirects are not followed, so that the key is not sent elsewhere. */
export async function exchange(url: string, init: RequestInit, limits: CanaryLimits): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the canary is a client of the service, not the service
  const response = await fetch(url, { ...init, redirect: 'manual', signal: timeoutSignal(limits) })
  return new Response(await response.text(), { status: response.status, headers: response.headers })
}

function timeoutSignal({ timeout_ms, run }: CanaryLimits): AbortSignal {
  return AbortSignal.any([run, AbortSignal.timeout(timeout_ms)])
}

const ErrorEnvelope = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

export function expectStatus(expected: number, status: number, body: unknown): void {
  if (status === expected) return
  const { data } = ErrorEnvelope.safeParse(body)
  const explanation = data === undefined ? '' : ` ${data.error.code}: ${data.error.message}`
  throw new Error(`HTTP ${status}, not ${expected}.${explanation}`)
}

function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(body)
  if (error === undefined) return data
  const [issue] = error.issues
  throw new Error(`the response does not match the contract: ${issue?.path.join('.')}: ${issue?.message}`)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // For example an error page of a proxy. The status says enough.
    return undefined
  }
}
