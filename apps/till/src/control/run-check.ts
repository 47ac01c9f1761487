import { ApiError, PairingError, type DeviceClient, type Verification } from '@vidimus/sdk'
import { answerFailure, notChecked, type Answer } from '../state/answer.ts'
import type { Check, OpenVerification, PairingLoss } from '../state/till-state.ts'
import { NotCheckedError, pause, pollInterval_ms, repeat } from './repeat.ts'
import { watchVerification, type OpenPhase } from './watch-verification.ts'

export type CheckResult = (
  | { kind: 'answered'; answer: Answer }
  /** The document fits, and its photo is to be compared. */
  | { kind: 'photo_received'; id: string; portrait: string }
  | { kind: 'pairing_lost'; loss: PairingLoss }
  | { kind: 'stopped' }
) & {
  /** The id of a verification that may still be open at the service: it has to be cancelled. */
  left_open?: string
}

export type CheckContext = {
  verifications: Pick<DeviceClient['verifications'], 'create' | 'retrieve' | 'status'>
  /** Aborted when the check is stopped. */
  signal: AbortSignal
  /** By the clock of the service. */
  now: () => number
  /** Resolves once the verifications of earlier checks are closed. Until then, nothing is created. */
  earlier: Promise<void>
  onOpen: (open: OpenVerification) => void
  onCode: (uri: string) => void
  onPhase: (phase: OpenPhase) => void
}

/** Polling needs no token. Every tenth time, or every ten seconds, the verification is read instead, so that a revocation is noticed while asking. */
const pollsPerRead = 10
export const createTimeout_ms = 30_000
const readTimeout_ms = 30_000
/** The service says when a verification has expired. The till decides by itself only if it hears nothing. */
const expiryGrace_ms = 10_000
const minute_ms = 60_000
const day_ms = 86_400_000

/**
 * Creates the verification and waits for its answer. Whatever fails on the way is repeated until its time is up, always with
 * the idempotency key of the press. Never throws.
 */
export async function runCheck(context: CheckContext, check: Check): Promise<CheckResult> {
  const { signal, now } = context
  let open: Verification | undefined
  try {
    open = await create(context, check)
    const ended = await waitForAnswer(context, check, open)
    open = undefined
    return readAnswer(ended)
  } catch (error) {
    const left = open !== undefined && { left_open: open.id }
    if (signal.aborted) return { kind: 'stopped', ...left }
    if (error instanceof NotCheckedError) return { kind: 'answered', answer: describe(error, now()), ...left }
    if (error instanceof PairingError)
      return { kind: 'pairing_lost', loss: error.reason === 'refresh_refused' ? 'revoked' : 'lost', ...left }
    if (error instanceof ApiError) return { kind: 'pairing_lost', loss: 'revoked', ...left }
    return { kind: 'answered', answer: notChecked('service_fault'), ...left }
  }
}

async function create({ verifications, signal, earlier }: CheckContext, check: Check): Promise<Verification> {
  const deadline_ms = check.pressed_ms + createTimeout_ms
  await waitFor(earlier, deadline_ms, signal)
  return createOnce(verifications, check, deadline_ms)
}

/**
 * A request that was sent may have created the verification, so it is repeated even after the check was stopped: only then is the id
 * known, and can be cancelled.
 */
export function createOnce(
  verifications: Pick<DeviceClient['verifications'], 'create'>,
  { key, template, purpose }: Pick<Check, 'key' | 'template' | 'purpose'>,
  deadline_ms: number,
): Promise<Verification> {
  return repeat({ deadline_ms }, () =>
    verifications.create({ template, ...(purpose !== undefined && { purpose }) }, { idempotencyKey: key }),
  )
}

/** Gives up at the deadline, because what keeps an earlier verification from being closed also keeps a new one from being created. */
async function waitFor(earlier: Promise<void>, deadline_ms: number, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController()
  const tooLate = pause(deadline_ms - performance.now(), AbortSignal.any([signal, waiting.signal]))
  try {
    await Promise.race([
      earlier,
      tooLate.then(() => {
        throw new NotCheckedError('busy')
      }),
    ])
    signal.throwIfAborted()
  } finally {
    waiting.abort()
  }
}

/** Reads the verification once it has an answer, and not again: the response contains claims. */
async function waitForAnswer(
  { verifications, signal, onOpen, onCode, onPhase }: CheckContext,
  check: Check,
  { id, wallet_uri = '', created_at, expires_at }: Verification,
): Promise<Verification> {
  signal.throwIfAborted()
  const ttl_ms = Date.parse(expires_at) - Date.parse(created_at)
  const deadline_ms = check.pressed_ms + ttl_ms + expiryGrace_ms
  onOpen({ id, wallet_uri, ttl_ms })
  let coded = false
  const watch = watchVerification({
    id,
    onPhase,
    onCode: (uri) => {
      coded = true
      onCode(uri)
    },
    // Without a stream there is no moving code; the fixed one is better than none.
    onLost: () => {
      if (!coded) onCode(wallet_uri)
    },
  })
  try {
    for (let poll = 1; ; poll += 1) {
      const live = watch.isLive()
      await watch.wait(live ? pollsPerRead * pollInterval_ms : pollInterval_ms, signal)
      if (watch.endedAs() === 'cancelled') throw new NotCheckedError('stopped')
      const ended = watch.endedAs() !== undefined
      const read = ended || live || poll % pollsPerRead === 0
      const patience_ms = ended ? performance.now() + readTimeout_ms : deadline_ms
      const found = await repeat(
        { signal, deadline_ms: patience_ms },
        (): Promise<Verification | { status: string }> =>
          read ? verifications.retrieve(id, { signal }) : verifications.status(id, { signal }),
      )
      if (found.status === 'pending') {
        if (performance.now() > deadline_ms) throw new NotCheckedError('time_out')
        continue
      }
      if ('created_at' in found) return found
      return await repeat({ signal, deadline_ms: performance.now() + readTimeout_ms }, () =>
        verifications.retrieve(id, { signal }),
      )
    }
  } finally {
    watch.close()
  }
}

/** Of the claims, only a portrait leaves this function. */
function readAnswer({ id, status, claims, error }: Verification): CheckResult {
  switch (status) {
    case 'completed': {
      const portrait = claims?.['portrait']
      if (portrait === undefined) return { kind: 'answered', answer: { word: 'yes' } }
      if (typeof portrait === 'string' && portrait.startsWith('data:image/'))
        return { kind: 'photo_received', id, portrait }
      return { kind: 'answered', answer: notChecked('photo_unreadable') }
    }
    case 'failed':
      return { kind: 'answered', answer: answerFailure(error?.code) }
    case 'expired':
      return { kind: 'answered', answer: notChecked('time_out') }
    case 'pending':
      return { kind: 'answered', answer: notChecked('service_fault') }
  }
}

/** The quota begins again at midnight UTC; the service says how long that takes. */
function describe({ reason, retryAfterSeconds }: NotCheckedError, now: number): Answer {
  if (reason !== 'quota_spent') return notChecked(reason)
  const again_at =
    retryAfterSeconds === undefined ? Math.ceil(now / day_ms) * day_ms : now + retryAfterSeconds * 1000
  return { word: 'not_checked', reason, again_at: Math.round(again_at / minute_ms) * minute_ms }
}
