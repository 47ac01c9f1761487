import { ApiError, ConnectionError, PairingError, type DeviceClient } from '@vidimus/sdk'
import { classifyFault } from '../state/faults.ts'
import { pause } from './repeat.ts'

export type CancelContext = {
  verifications: Pick<DeviceClient['verifications'], 'cancel'>
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

export type CancelResult =
  | { kind: 'cancelled' }
  /** Too late: the holder has responded. */
  | { kind: 'answered' }
  /** It is gone, or the service did not respond for as long as it can have been open. */
  | { kind: 'unknown' }

/** Longer than the five minutes for which a till's verification is open. */
const maxCancel_ms = 360_000
const retryInterval_ms = 2000
const requestTimeout_ms = 10_000

/** Cancels a verification, and repeats that until the service has answered. Never throws. */
export async function cancelVerification(context: CancelContext, id: string): Promise<CancelResult> {
  const deadline_ms = performance.now() + maxCancel_ms
  for (;;) {
    const result = await tryCancel(context, id)
    if (result !== 'try_again') return result
    if (performance.now() > deadline_ms) return { kind: 'unknown' }
    await pause(retryInterval_ms)
  }
}

async function tryCancel(context: CancelContext, id: string): Promise<CancelResult | 'try_again'> {
  try {
    await context.verifications.cancel(id)
    return { kind: 'cancelled' }
  } catch (error) {
    if (error instanceof ConnectionError) return 'try_again'
    if (error instanceof PairingError) return cancelAsHolder(context, id)
    if (!(error instanceof ApiError)) return { kind: 'unknown' }
    if (error.code === 'session_already_responded') return { kind: 'answered' }
    const { kind } = classifyFault(error.code)
    if (kind === 'pairing_lost') return cancelAsHolder(context, id)
    return kind === 'retry' ? 'try_again' : { kind: 'unknown' }
  }
}

/** A till that lost its pairing has no token. Whoever knows the id may cancel as the holder may. */
async function cancelAsHolder({ fetch }: CancelContext, id: string): Promise<CancelResult | 'try_again'> {
  try {
    const { ok, status } = await fetch(holderCancelUrl(id), {
      method: 'POST',
      signal: AbortSignal.timeout(requestTimeout_ms),
    })
    if (ok) return { kind: 'cancelled' }
    if (status === 409) return { kind: 'answered' }
    return status === 429 || status >= 500 ? 'try_again' : { kind: 'unknown' }
  } catch {
    return 'try_again' // No connection, or no response in time.
  }
}

function holderCancelUrl(id: string): string {
  return `/verify/${encodeURIComponent(id)}/cancel`
}

/** From a page that is being closed, which no longer learns the response. */
export function sendLastCancellation(
  { fetch, authorization }: Pick<CancelContext, 'fetch'> & { authorization: string | undefined },
  id: string,
): void {
  const [url, headers] =
    authorization === undefined
      ? [holderCancelUrl(id), {}]
      : [`/v1/verifications/${encodeURIComponent(id)}/cancel`, { authorization }]
  fetch(url, { method: 'POST', headers, keepalive: true }).catch(() => undefined)
}
