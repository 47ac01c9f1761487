import { createDeviceClient, indexedDbStore, type StoredTokens } from '@vidimus/sdk'
import { announce } from '../device/announce.ts'
import { keepAwake } from '../device/wake-lock.ts'
import { mayHandOver, reduce, staysAwake } from '../state/reduce.ts'
import { initialState, type Screen, type TillEvent, type TillState } from '../state/till-state.ts'
import { openChecks } from './checks.ts'
import { claimTurn } from './claim-turn.ts'
import { openConnection } from './connection.ts'
import { pair, takePairingCode } from './pair.ts'
import { findPinProblem, openSettings } from './settings.ts'

export type Till = {
  getState: () => TillState
  subscribe: (listener: () => void) => () => void
  pair: (code: string) => void
  keepPairing: () => void
  press: (template: string) => void
  showCode: () => void
  stop: () => void
  compare: (same_person: boolean) => void
  photoUnreadable: () => void
  next: () => void
  openOutcomes: () => void
  openSettings: () => void
  closePanel: () => void
  endShift: () => void
  enterPin: (pin: string) => void
  chooseKeepAwake: (awake: boolean) => void
  /** Asks the tab that has the turn to stop its check and pass the turn on. */
  useThisTab: () => void
}

const requestTimeout_ms = 10_000
const answerDuration_ms = 20_000
export const photoDuration_ms = 60_000
const panelDurations_ms = { outcomes: 20_000, pin: 60_000, settings: 60_000 }

/** Runs the till: state changes go through `reduce`, and each new screen starts its own work. */
export function openTill(storeName: string): Till {
  let state = initialState
  const listeners = new Set<() => void>()
  let linkCode = takePairingCode()
  let timer: ReturnType<typeof setTimeout> | undefined

  const connection = openConnection({
    onChange: (online) => {
      dispatch({ name: online ? 'went_online' : 'went_offline' })
      if (online && state.screen.name === 'ready') void readDevice()
    },
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
  const settings = openSettings({ storeName, tokens: store, fetch: connection.fetch })
  const checks = openChecks({ storeName, verifications: client.verifications, connection, dispatch })

  function dispatch(event: TillEvent): void {
    const before = state
    const next = reduce(state, event)
    if (next === state) return
    state = next
    const awake = staysAwake(state)
    if (awake !== staysAwake(before)) keepAwake(awake)
    if (nameOf(before.screen) !== nameOf(state.screen)) enter(state.screen, before.screen)
    for (const listener of listeners) listener()
  }

  function enter(screen: Screen, before: Screen): void {
    clearTimeout(timer)
    if (before.name === 'asking') checks.stop()
    if (screen.name === 'pairing') void startPairing(screen.code)
    if (screen.name === 'ready' && before.name !== 'ready') void readDevice()
    if (screen.name === 'ready' && screen.panel !== undefined)
      timer = setTimeout(() => dispatch({ name: 'panel_closed' }), panelDurations_ms[screen.panel.name])
    if (screen.name === 'asking') checks.start(screen.check)
    if (screen.name === 'compare') timer = setTimeout(removePhoto, photoDuration_ms)
    if (screen.name === 'answer') {
      announce(screen.answer.word)
      timer = setTimeout(() => dispatch({ name: 'next' }), answerDuration_ms)
    }
  }

  async function startPairing(code: string): Promise<void> {
    const result = await pair(client, code)
    if ('problem' in result) return dispatch({ name: 'pairing_failed', problem: result.problem })
    settings.expire()
    dispatch({ name: 'paired', device: result.device })
    // Without this, a browser may delete the tokens when it runs out of space.
    await navigator.storage?.persist?.().catch(() => false)
  }

  /** A refresh may have changed the allowed templates, or lost the pairing. */
  async function readDevice(): Promise<void> {
    const found = await client.state().catch(() => undefined)
    if (found?.status === 'paired') dispatch({ name: 'device_changed', device: found.device })
    if (found?.status === 'pair_again') losePairing(found.reason === 'refresh_refused' ? 'revoked' : 'lost')
    const read = await settings.refresh()
    if (read !== undefined) dispatch({ name: 'settings_read', settings: read })
  }

  function losePairing(loss: 'revoked' | 'lost'): void {
    dispatch({ name: 'pairing_lost', loss, at: connection.now() })
  }

  const removePhoto = () => dispatch({ name: 'photo_removed', at: connection.now(), reason: 'not_compared' })

  async function open(): Promise<void> {
    const [last, awake] = [settings.last(), settings.keepAwake()]
    if (last !== undefined) dispatch({ name: 'settings_read', settings: last })
    if (awake !== undefined) dispatch({ name: 'keep_awake_chosen', keep_awake: awake })
    await connection.probe()
    const found = await store
      .update(giveUpTakenToken)
      .then(() => client.state())
      .catch(() => ({ status: 'unpaired' as const }))
    checks.cancelInterrupted()
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

  const stop = () => dispatch({ name: 'stopped', at: connection.now() })

  const askForTurn = claimTurn({
    name: storeName,
    insist: linkCode !== undefined,
    onStopWanted: () => {
      stop()
      removePhoto()
    },
    mayHandOver: () => mayHandOver(state.screen),
    idle: connection.idle,
    onTurn: () => void open(),
    onWaiting: () => dispatch({ name: 'other_tab_found' }),
    onHandedOver: () => dispatch({ name: 'handed_over' }),
  })
  addEventListener('hashchange', () => {
    linkCode = takePairingCode()
    if (state.screen.name === 'other_tab') askForTurn('hand over')
    else openLink()
  })
  addEventListener('blur', removePhoto)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') removePhoto()
  })

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pair: (code) => dispatch({ name: 'code_entered', code }),
    keepPairing: () => dispatch({ name: 'pairing_kept' }),
    press(template) {
      const { purpose } = state.settings ?? {}
      const check = { key: crypto.randomUUID(), template, pressed_ms: performance.now() }
      dispatch({ name: 'pressed', check: { ...check, ...(purpose !== undefined && { purpose }) } })
    },
    showCode: () => dispatch({ name: 'code_wanted' }),
    stop,
    compare(same_person) {
      const { screen } = state
      if (screen.name !== 'compare') return
      checks.sendComparison(screen.id, same_person)
      dispatch({ name: 'compared', at: connection.now(), same_person })
    },
    photoUnreadable: () =>
      dispatch({ name: 'photo_removed', at: connection.now(), reason: 'photo_unreadable' }),
    next: () => dispatch({ name: 'next' }),
    openOutcomes: () => dispatch({ name: 'outcomes_opened' }),
    openSettings: () => dispatch({ name: 'settings_opened' }),
    closePanel: () => dispatch({ name: 'panel_closed' }),
    endShift: () => dispatch({ name: 'shift_ended' }),
    enterPin(pin) {
      dispatch({ name: 'pin_entered' })
      void findPinProblem(client, pin).then((problem) =>
        dispatch(problem === undefined ? { name: 'pin_accepted' } : { name: 'pin_refused', problem }),
      )
    },
    chooseKeepAwake(awake) {
      settings.storeKeepAwake(awake)
      dispatch({ name: 'keep_awake_chosen', keep_awake: awake })
    },
    useThisTab: () => askForTurn('stop and hand over'),
  }
}

/** What has work of its own: the screen, or what lies over it. */
function nameOf(screen: Screen): string {
  return screen.name === 'ready' ? `ready ${screen.panel?.name ?? ''}` : screen.name
}

/**
 * A tab that has the turn knows that no other tab is refreshing: one that took the refresh token and did not store a new one is dead. So
 * the till says at once that it must be paired again, instead of waiting for that tab in front of a customer.
 */
function giveUpTakenToken(found: StoredTokens | undefined): StoredTokens | undefined {
  if (found?.refresh.state !== 'taken') return found
  return { ...found, refresh: { state: 'lost', reason: 'refresh_lost' } }
}
