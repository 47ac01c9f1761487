import { ApiError, ConnectionError, PairingError } from '@vidimus/sdk'
import type { Fault } from '../state/answer.ts'
import { classifyFault } from '../state/faults.ts'

export const pollInterval_ms = 1000

/** The check ends without an answer. */
export class NotCheckedError extends Error {
  override name = 'NotCheckedError'
  readonly reason: Fault
  /** When the service says that it may work again. */
  readonly retryAfterSeconds: number | undefined

  constructor(reason: Fault, retryAfterSeconds?: number) {
    super(reason)
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Repeats a request that failed for a reason which may pass, until the deadline. A lost pairing is thrown as the SDK threw it, and
 * everything else as a `NotCheckedError`.
 */
export async function repeat<Result>(
  { signal, deadline_ms }: { signal?: AbortSignal; deadline_ms: number },
  request: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      signal?.throwIfAborted()
      const reason = readPassingFault(error)
      if (performance.now() > deadline_ms) throw new NotCheckedError(reason)
      const wait_ms = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      await pause(Math.max(pollInterval_ms, wait_ms), signal)
    }
  }
}

/** The reason of a fault that may pass. Throws if it will not. */
function readPassingFault(error: unknown): Fault {
  if (error instanceof ConnectionError) return 'offline'
  if (error instanceof PairingError) throw error
  if (!(error instanceof ApiError)) throw new NotCheckedError('service_fault')
  const fault = classifyFault(error.code)
  if (fault.kind === 'pairing_lost') throw error
  if (fault.kind === 'final') throw new NotCheckedError(fault.reason, error.retryAfterSeconds)
  return fault.reason
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('The check was stopped.'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
