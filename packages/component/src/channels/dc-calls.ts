import type { SessionService } from '../service.ts'
import type { StateChange } from '../state/state.ts'
import { callWallet, hasDigitalCredentials, selectForwarded, type DcRequest } from './digital-credentials.ts'
import { sendAnswer } from './send-answer.ts'

export type DcCalls = {
  /** Fetches the requests, so that the button can be enabled. */
  prepare: () => void
  /** Calls the wallet. Must be the first thing in a click. */
  call: () => void
  /** Closes the browser's dialog, if it is open. */
  close: () => void
}

type DcCallsOptions = {
  service: Pick<SessionService, 'readDcRequests' | 'postDcAnswer' | 'readSession' | 'page_url'>
  onChange: (change: StateChange) => void
}

/** The session's calls of the Digital Credentials API, one at a time. */
export function createDcCalls({ service, onChange }: DcCallsOptions): DcCalls {
  let requests: DcRequest[] = []
  let current = new AbortController()

  async function fetchRequests(): Promise<void> {
    onChange({ kind: 'dc_fetching' })
    try {
      requests = selectForwarded(await service.readDcRequests())
    } catch {
      // Without the requests there is no button; the other channels remain.
    }
    onChange({ kind: requests.length === 0 ? 'dc_unavailable' : 'dc_ready' })
  }

  async function call(): Promise<void> {
    current = new AbortController()
    const called = callWallet(requests, current.signal)
    onChange({ kind: 'dc_called' })
    const answer = await called
    if (answer.kind === 'response') onChange({ kind: 'dc_responded' })
    onChange(await sendAnswer(answer, service))
  }

  const fail = () => onChange({ kind: 'dc_ended', notice: 'wallet_error' })
  return {
    prepare() {
      if (hasDigitalCredentials()) fetchRequests().catch(() => onChange({ kind: 'dc_unavailable' }))
    },
    call: () => void call().catch(fail),
    close: () => current.abort(),
  }
}
