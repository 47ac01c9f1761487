import { ApiError, ConnectionError, PairingError, type DeviceClient, type Verification } from '@vidimus/sdk'
import { answerFailure, type Answer, type Fault } from '../state/answer.ts'
import { classifyFault } from '../state/faults.ts'
import type { Check, CheckSession, PairingLoss } from '../state/till-state.ts'

export type CheckResult =
  | { kind: 'answered'; answer: Answer; portrait?: string }
  | { kind: 'pairing_lost'; loss: PairingLoss }

export type CheckContext = {
  verifications: DeviceClient['verifications']
  signal: AbortSignal
  onSession: (session: CheckSession) => void
}

const pollInterval_ms = 1000
/** Polling needs no token. Every tenth time the session is read instead, so that a revocation is noticed while asking. */
const pollsPerRead = 10
const createTimeout_ms = 30_000
const readTimeout_ms = 30_000
/** The service says when a session has expired. The till decides by itself only if it hears nothing. */
const expiryGrace_ms = 10_000

/**
 * Creates the verification and waits for its answer. Whatever fails on the way is repeated until its time is up, always with
 * the idempotency key of the press. Throws only if `signal` is aborted.
 */
export async function runCheck(context: CheckContext, check: Check): Promise<CheckResult> {
  const { verifications, signal, onSession } = context
  try {
    const created = await repeat(signal, check.pressed_ms + createTimeout_ms, () =>
      verifications.create({ template: check.template }, { idempotencyKey: check.key, signal }),
    )
    const ttl_ms = Date.parse(created.expires_at) - Date.parse(created.created_at)
    if (created.wallet_uri !== undefined)
      onSession({ id: created.id, wallet_uri: created.wallet_uri, ttl_ms })
    const answered = await waitForAnswer(context, created, check.pressed_ms + ttl_ms + expiryGrace_ms)
    return { kind: 'answered', ...readAnswer(answered) }
  } catch (error) {
    if (error instanceof NotCheckedError)
      return { kind: 'answered', answer: { word: 'not_checked', reason: error.reason } }
    if (error instanceof PairingError)
      return { kind: 'pairing_lost', loss: error.reason === 'refresh_refused' ? 'revoked' : 'lost' }
    if (error instanceof ApiError) return { kind: 'pairing_lost', loss: 'revoked' }
    throw error
  }
}

/** Reads the session once it has an answer, and not again: the response contains claims. */
async function waitForAnswer(
  { verifications, signal }: CheckContext,
  created: Verification,
  deadline_ms: number,
): Promise<Verification> {
  const { id } = created
  for (let poll = 1; ; poll += 1) {
    await pause(pollInterval_ms, signal)
    const read = poll % pollsPerRead === 0
    const found = await repeat(signal, deadline_ms, (): Promise<Verification | { status: string }> =>
      read ? verifications.retrieve(id, { signal }) : verifications.status(id, { signal }),
    )
    if (found.status === 'pending') {
      if (performance.now() > deadline_ms) throw new NotCheckedError('time_out')
      continue
    }
    if (found.status === 'expired') throw new NotCheckedError('time_out')
    if ('created_at' in found) return found
    const readDeadline_ms = performance.now() + readTimeout_ms
    return repeat(signal, readDeadline_ms, () => verifications.retrieve(id, { signal }))
  }
}

/** Of the claims, only a portrait leaves this function. */
function readAnswer({ status, claims, error }: Verification): { answer: Answer; portrait?: string } {
  switch (status) {
    case 'completed': {
      const portrait = claims?.['portrait']
      const shown = typeof portrait === 'string' && portrait.startsWith('data:image/')
      return { answer: { word: 'yes' }, ...(shown && { portrait }) }
    }
    case 'failed':
      return { answer: answerFailure(error?.code) }
    case 'expired':
      return { answer: { word: 'not_checked', reason: 'time_out' } }
    case 'pending':
      return { answer: { word: 'not_checked', reason: 'service_fault' } }
  }
}

/** The check ends without an answer. */
class NotCheckedError extends Error {
  override name = 'NotCheckedError'
  readonly reason: Fault

  constructor(reason: Fault) {
    super(reason)
    this.reason = reason
  }
}

/** Repeats a request that failed for a reason which may pass. A lost pairing is thrown as the SDK threw it. */
async function repeat<Result>(
  signal: AbortSignal,
  deadline_ms: number,
  request: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      signal.throwIfAborted()
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
  if (fault.kind === 'final') throw new NotCheckedError(fault.reason)
  return fault.reason
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new Error('The check was stopped.'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
