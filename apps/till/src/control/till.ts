import { createDeviceClient, indexedDbStore, type StoredTokens } from '@vidimus/sdk'
import { announce } from '../device/announce.ts'
import { keepAwake } from '../device/wake-lock.ts'
import { mayHandOver, reduce } from '../state/reduce.ts'
import { initialState, type Screen, type TillEvent, type TillState } from '../state/till-state.ts'
import { claimTurn } from './claim-turn.ts'
import { openConnection } from './connection.ts'
import { pair, takePairingCode } from './pair.ts'
import { runCheck } from './run-check.ts'

export type Till = {
  getState: () => TillState
  subscribe: (listener: () => void) => () => void
  pair: (code: string) => void
  keepPairing: () => void
  press: (template: string) => void
  stop: () => void
  next: () => void
  endShift: () => void
  /** Asks the tab that has the turn to pass it on. */
  useThisTab: () => void
}

const requestTimeout_ms = 10_000
const answerDuration_ms = 20_000
const portraitDuration_ms = 15_000

/** Runs the till: state changes go through `reduce`, and each new screen starts its own work. */
export function openTill(storeName: string): Till {
  let state = initialState
  const listeners = new Set<() => void>()
  let linkCode = takePairingCode()
  let check: AbortController | undefined
  let timers: ReturnType<typeof setTimeout>[] = []

  const connection = openConnection({
    onChange: (online) => dispatch({ name: online ? 'went_online' : 'went_offline' }),
  })
  const store = indexedDbStore(storeName)
  // A request that fails is repeated by the check itself, which knows how long that makes sense.
  const client = createDeviceClient({
    baseUrl: location.origin,
    store,
    fetch: connection.fetch,
    now: connection.now,
    retries: 0,
    timeoutMs: requestTimeout_ms,
  })

  function dispatch(event: TillEvent): void {
    const before = state.screen
    const next = reduce(state, event)
    if (next === state) return
    state = next
    if (before.name !== state.screen.name) enter(state.screen)
    for (const listener of listeners) listener()
  }

  function enter(screen: Screen): void {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    if (screen.name !== 'asking') check?.abort()
    keepAwake(screen.name === 'asking' || screen.name === 'answer')
    if (screen.name === 'pairing') void startPairing(screen.code)
    if (screen.name === 'ready') void readDevice()
    if (screen.name === 'asking') void startCheck(screen)
    if (screen.name === 'answer') showAnswer(screen)
  }

  async function startPairing(code: string): Promise<void> {
    const result = await pair(client, code)
    if ('problem' in result) return dispatch({ name: 'pairing_failed', problem: result.problem })
    dispatch({ name: 'paired', device: result.device })
    // Without this, a browser may delete the tokens when it runs out of space.
    await navigator.storage?.persist?.().catch(() => false)
  }

  /** A refresh may have changed the allowed templates, or lost the pairing. */
  async function readDevice(): Promise<void> {
    const found = await client.state().catch(() => undefined)
    if (found?.status === 'paired') dispatch({ name: 'device_changed', device: found.device })
    if (found?.status === 'pair_again') losePairing(found.reason === 'refresh_refused' ? 'revoked' : 'lost')
  }

  async function startCheck({ check: pressed }: Extract<Screen, { name: 'asking' }>): Promise<void> {
    check = new AbortController()
    const { signal } = check
    const onSession = (session: Parameters<Parameters<typeof runCheck>[0]['onSession']>[0]) =>
      dispatch({ name: 'created', key: pressed.key, session })
    try {
      const result = await runCheck({ verifications: client.verifications, signal, onSession }, pressed)
      if (signal.aborted) return
      if (result.kind === 'pairing_lost') return losePairing(result.loss)
      dispatch({ ...result, name: 'answered', key: pressed.key, at: connection.now() })
    } catch (error) {
      // `runCheck` throws only when it was stopped.
      if (!signal.aborted) throw error
    }
  }

  function losePairing(loss: 'revoked' | 'lost'): void {
    dispatch({ name: 'pairing_lost', loss, at: connection.now() })
  }

  function showAnswer({ answer, portrait }: Extract<Screen, { name: 'answer' }>): void {
    announce(answer.word)
    timers.push(setTimeout(() => dispatch({ name: 'next' }), answerDuration_ms))
    if (portrait === undefined) return
    timers.push(setTimeout(() => dispatch({ name: 'portrait_removed' }), portraitDuration_ms))
    // The window may have lost the focus before the answer arrived.
    if (!document.hasFocus()) dispatch({ name: 'portrait_removed' })
  }

  async function open(): Promise<void> {
    await connection.probe()
    const found = await store
      .update(giveUpTakenToken)
      .then(() => client.state())
      .catch(() => ({ status: 'unpaired' as const }))
    if (found.status === 'unpaired') dispatch({ name: 'opened_unpaired' })
    if (found.status === 'paired') dispatch({ name: 'opened_paired', device: found.device })
    if (found.status === 'pair_again') losePairing(found.reason === 'refresh_refused' ? 'revoked' : 'lost')
    openLink()
  }

  function openLink(): void {
    if (linkCode === undefined) return
    const code = linkCode
    linkCode = undefined
    dispatch({ name: 'link_opened', code })
  }

  const useThisTab = claimTurn({
    name: storeName,
    insist: linkCode !== undefined,
    mayHandOver: () => mayHandOver(state.screen),
    idle: connection.idle,
    onTurn: () => void open(),
    onWaiting: () => dispatch({ name: 'other_tab_found' }),
    onHandedOver: () => dispatch({ name: 'handed_over' }),
  })
  addEventListener('hashchange', () => {
    linkCode = takePairingCode()
    if (state.screen.name === 'other_tab') useThisTab()
    else openLink()
  })
  addEventListener('blur', () => dispatch({ name: 'portrait_removed' }))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') dispatch({ name: 'portrait_removed' })
  })

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pair: (code) => dispatch({ name: 'code_entered', code }),
    keepPairing: () => dispatch({ name: 'pairing_kept' }),
    press: (template) =>
      dispatch({
        name: 'pressed',
        check: { key: crypto.randomUUID(), template, pressed_ms: performance.now() },
      }),
    stop: () => dispatch({ name: 'stopped', at: connection.now() }),
    next: () => dispatch({ name: 'next' }),
    endShift: () => dispatch({ name: 'shift_ended' }),
    useThisTab,
  }
}

/**
 * A tab that has the turn knows that no other tab is refreshing: one that took the refresh token and did not store a new one is dead. So
 * the till says at once that it must be paired again, instead of waiting for that tab in front of a customer.
 */
function giveUpTakenToken(found: StoredTokens | undefined): StoredTokens | undefined {
  if (found?.refresh.state !== 'taken') return found
  return { ...found, refresh: { state: 'lost', reason: 'refresh_lost' } }
}
