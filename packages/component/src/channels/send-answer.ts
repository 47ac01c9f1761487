import type { HolderSession } from '../holder-session.ts'
import type { SessionService } from '../service.ts'
import type { StateChange } from '../state/state.ts'
import type { DcAnswer } from './digital-credentials.ts'

type Service = Pick<SessionService, 'postDcAnswer' | 'readSession' | 'page_url'>
type Sleep = (ms: number) => Promise<void>

/** Pauses between the attempts to post a wallet's response, in milliseconds. */
const pauses_ms = [500, 1500, 4000]

/** Posts what the wallet gave to the browser, and says what it means for the holder. */
export async function sendAnswer(
  answer: DcAnswer,
  service: Service,
  sleep: Sleep = wait,
): Promise<StateChange> {
  switch (answer.kind) {
    case 'cancelled':
      return { kind: 'dc_ended', notice: 'no_answer' }
    case 'failed':
      return { kind: 'dc_ended', notice: 'wallet_error' }
    case 'error': {
      const { protocol, error } = answer
      // The service only notes it. The holder can go on, whether or not that worked.
      await service.postDcAnswer({ protocol, error }).catch(() => undefined)
      // A wallet says the same if the holder declines and if no document fits (OpenID4VP 1.0 §8.5).
      return { kind: 'dc_ended', notice: error === 'access_denied' ? 'declined' : 'wallet_error' }
    }
    case 'response': {
      const { protocol, response } = answer
      return sendResponse({ protocol, response }, service, sleep)
    }
  }
}

/** The same response may be posted again: a verification accepts one, and refuses the repetition. */
async function sendResponse(
  form: Record<string, string>,
  service: Service,
  sleep: Sleep,
): Promise<StateChange> {
  for (const pause_ms of [...pauses_ms, undefined]) {
    const posted = await service.postDcAnswer(form).catch(() => undefined)
    if (posted?.status === 200) {
      // A response that failed, and may be repeated, leads to the hosted page, which says so. Here the session says it.
      const redirect_uri = posted.redirect_uri === service.page_url ? undefined : posted.redirect_uri
      const session = await readOnce(service)
      return {
        kind: 'answer_accepted',
        ...(redirect_uri !== undefined && { redirect_uri }),
        ...(session !== undefined && { session }),
      }
    }
    const { status = 503 } = posted ?? {}
    // 409: a wallet has responded before, perhaps by the attempt whose reply was lost. 410: expired. The next read shows which.
    if (status === 409 || status === 410) {
      const session = await readOnce(service)
      if (session !== undefined) return { kind: 'answer_refused', session }
    }
    if (status < 500 && status !== 429) return { kind: 'dc_ended', notice: 'wallet_error' }
    if (pause_ms !== undefined) await sleep(pause_ms)
  }
  return { kind: 'dc_ended', notice: 'send_failed' }
}

/** The outcome, if the service tells it now. If not, the events will. */
async function readOnce(service: Service): Promise<HolderSession | undefined> {
  try {
    return await service.readSession()
  } catch {
    return undefined
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
