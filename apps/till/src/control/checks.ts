import type { DeviceClient } from '@vidimus/sdk'
import type { Check, TillEvent } from '../state/till-state.ts'
import { cancelVerification, openIdStore, sendLastCancellation } from './cancel-verification.ts'
import type { TillConnection } from './connection.ts'
import { repeat } from './repeat.ts'
import { runCheck } from './run-check.ts'

export type Checks = {
  start: (check: Check) => void
  /** Ends the check in progress, if there is one. Its verification is cancelled as soon as its id is known. */
  stop: () => void
  /** Cancels the verification that was open when the till, or another tab of it, was closed. */
  cancelInterrupted: () => void
  /** Sends the decision of staff. Repeated for a while; nobody waits for it. */
  sendComparison: (id: string, same_person: boolean) => void
}

export type ChecksOptions = {
  storeName: string
  verifications: DeviceClient['verifications']
  connection: TillConnection
  dispatch: (event: TillEvent) => void
}

const comparisonTimeout_ms = 120_000

/** Runs one check at a time, and leaves no verification open behind it: a new one is created only once the earlier ones are closed. */
export function openChecks({ storeName, verifications, connection, dispatch }: ChecksOptions): Checks {
  const { fetch, now } = connection
  const stored = openIdStore(storeName)
  let stopping: AbortController | undefined
  let earlier: Promise<void> = Promise.resolve()
  /** What this tab created last: it closes that itself. */
  let own: string | undefined

  function finishFirst(work: Promise<void>): void {
    earlier = Promise.all([earlier, work]).then(() => undefined)
  }

  async function run(check: Check, signal: AbortSignal, before: Promise<void>): Promise<void> {
    const { key } = check
    const result = await runCheck(
      {
        verifications: { ...verifications, create: createAndStore },
        signal,
        now,
        earlier: before,
        onOpen: (open) => dispatch({ name: 'created', key, open }),
        onCode: (code) => dispatch({ name: 'code_changed', key, code }),
        onPhase: (phase) => dispatch({ ...phase, name: 'phase_changed', key }),
      },
      check,
    )
    const { left_open } = result
    if (left_open === undefined && own !== undefined) stored.clear(own)
    switch (result.kind) {
      case 'answered':
        dispatch({ name: 'answered', key, at: now(), answer: result.answer })
        break
      case 'photo_received':
        dispatch({ ...result, name: 'photo_received', key })
        break
      case 'pairing_lost':
        if (!signal.aborted) dispatch({ name: 'pairing_lost', loss: result.loss, at: now() })
        break
      case 'stopped':
        break
    }
    if (left_open === undefined) return
    const { kind } = await cancelVerification({ verifications, fetch }, left_open)
    stored.clear(left_open)
    if (kind === 'answered') dispatch({ name: 'answered_late', key })
  }

  /** The id is stored before anyone can see the code. */
  const createAndStore: typeof verifications.create = async (...given) => {
    const created = await verifications.create(...given)
    own = created.id
    stored.write(created.id)
    return created
  }

  async function cancelInterrupted(id: string): Promise<void> {
    const result = await cancelVerification({ verifications, fetch }, id)
    stored.clear(id)
    if (result.kind === 'unknown') return
    const verification = result.kind === 'cancelled' ? result.verification : undefined
    dispatch({
      name: 'interruption_found',
      key: crypto.randomUUID(),
      at: verification === undefined ? now() : Date.parse(verification.created_at),
      template: verification?.template,
      late: result.kind === 'answered',
    })
  }

  // A till that is closed has no next start. The response is not needed: a start cancels again.
  addEventListener('pagehide', () => {
    const id = stored.read()
    if (id !== undefined && id === own)
      sendLastCancellation({ fetch, authorization: connection.authorization() }, id)
  })

  return {
    start(check) {
      stopping?.abort()
      stopping = new AbortController()
      finishFirst(run(check, stopping.signal, earlier))
    },
    stop: () => stopping?.abort(),
    cancelInterrupted() {
      const id = stored.read()
      if (id !== undefined && id !== own) finishFirst(cancelInterrupted(id))
    },
    sendComparison(id, same_person) {
      const deadline_ms = performance.now() + comparisonTimeout_ms
      repeat({ deadline_ms }, () => verifications.compare(id, { same_person })).catch(() => undefined)
    },
  }
}
