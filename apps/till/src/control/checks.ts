import type { DeviceClient } from '@vidimus/sdk'
import type { Check, TillEvent } from '../state/till-state.ts'
import { cancelVerification, sendLastCancellation } from './cancel-verification.ts'
import type { TillConnection } from './connection.ts'
import { repeat } from './repeat.ts'
import { createOnce, createTimeout_ms, runCheck } from './run-check.ts'
import { openCheckStore, type StoredCheck } from './stored-check.ts'

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
/** Longer than the five minutes for which a till's verification is open. */
const maxOpen_ms = 360_000

/** Runs one check at a time, and leaves no verification open behind it: a new one is created only once the earlier ones are closed. */
export function openChecks({ storeName, verifications, connection, dispatch }: ChecksOptions): Checks {
  const { fetch, now } = connection
  const stored = openCheckStore(storeName)
  let stopping: AbortController | undefined
  let earlier: Promise<void> = Promise.resolve()
  /** The key of this tab's last check: the tab closes that itself. */
  let own: string | undefined

  function finishFirst(work: Promise<void>): void {
    earlier = Promise.all([earlier, work]).then(() => undefined)
  }

  async function run(check: Check, signal: AbortSignal, before: Promise<void>): Promise<void> {
    const { key } = check
    const result = await runCheck(
      {
        verifications: { ...verifications, create: createAndStore(check) },
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
    if (left_open === undefined) stored.clear(key)
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
    stored.clear(key)
    if (kind === 'answered') dispatch({ name: 'answered_late', key })
  }

  /** The key is stored before the request is sent, and the id before anyone can see the code. */
  function createAndStore({ key, template, purpose }: Check): typeof verifications.create {
    return async (...given) => {
      const check = { key, template, ...(purpose !== undefined && { purpose }), pressed_at: now() }
      own = key
      stored.write(check)
      const created = await verifications.create(...given)
      stored.write({ ...check, id: created.id })
      return created
    }
  }

  async function cancelInterrupted(check: StoredCheck): Promise<void> {
    const { key, template, pressed_at, id = await findId(check) } = check
    const { kind } =
      id === undefined ? { kind: 'unknown' } : await cancelVerification({ verifications, fetch }, id)
    stored.clear(key)
    if (kind !== 'unknown')
      dispatch({ name: 'interruption_found', key, at: pressed_at, template, late: kind === 'answered' })
  }

  /** The key of the press leads to its verification, or to a new one if the request never arrived: both are closed alike. */
  async function findId(check: StoredCheck): Promise<string | undefined> {
    if (now() - check.pressed_at > maxOpen_ms) return undefined
    try {
      return (await createOnce(verifications, check, performance.now() + createTimeout_ms)).id
    } catch {
      return undefined // Refused, or no response: nobody has seen a code of it, and it expires by itself.
    }
  }

  // A till that is closed has no next start. The response is not needed: a start cancels again.
  addEventListener('pagehide', () => {
    const { key, id } = stored.read() ?? {}
    if (id !== undefined && key === own)
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
      const check = stored.read()
      if (check !== undefined && check.key !== own) finishFirst(cancelInterrupted(check))
    },
    sendComparison(id, same_person) {
      const deadline_ms = performance.now() + comparisonTimeout_ms
      repeat({ deadline_ms }, () => verifications.compare(id, { same_person })).catch(() => undefined)
    },
  }
}
