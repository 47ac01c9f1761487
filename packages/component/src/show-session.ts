import { createCountdown } from './countdown.ts'
import { dispatchChange } from './dispatch-change.ts'
import { followSession } from './follow-session.ts'
import type { HolderSession } from './holder-session.ts'
import { safeHref } from './render/controls.ts'
import { focusTitle, renderCode, renderFrame, type Frame } from './render/frame.ts'
import type { Actions, ViewModel } from './render/view-model.ts'
import { connectSession, type SessionService } from './service.ts'
import {
  initialState,
  isEnd,
  isOpen,
  reduceState,
  type ComponentState,
  type StateChange,
} from './state/state.ts'
import { englishTexts, fillIn, loadTexts, type ComponentTexts } from './texts.ts'
import { watchPage } from './watch-page.ts'
import { createDcCalls } from './channels/dc-calls.ts'
import { readDevice } from './channels/device.ts'
import { planChannels } from './channels/plan-channels.ts'
import { planLinks } from './channels/plan-links.ts'
import { watchLink } from './channels/watch-link.ts'

export type SessionSettings = { id: string; base_url: string; lang: string }

export type ShownSession = {
  /** Applies attributes that do not concern the session. */
  update: () => void
  canLeave: () => boolean
  /** Cancels the session if it is open, and goes back to the merchant. */
  leave: () => void
  stop: () => void
}

/** How long a screen reader may take to say that the connection is back. */
const recovery_ms = 5000

/** A check that is done sooner goes straight to its outcome: a screen for a moment would only flicker. */
const quickCheck_ms = 300

/** Shows one session in the frame until `stop`. Whatever happens becomes a change of state, and what follows from it is done here. */
export function showSession(host: HTMLElement, frame: Frame, settings: SessionSettings): ShownSession {
  const stopping = new AbortController()
  const { signal } = stopping
  const service = connectSession({ ...settings, signal })
  // Once for the session: the channels do not change places while someone uses them.
  const device = readDevice()
  let state: ComponentState = { ...initialState, offline: !navigator.onLine }
  let language = englishTexts
  let received = Promise.resolve()
  /** Runs while a check is not worth a screen yet. */
  let quickCheck: ReturnType<typeof setTimeout> | undefined

  function change(next: StateChange): void {
    if (signal.aborted) return
    const before = state
    state = reduceState(state, next)
    if (next.kind === 'code_moved') return renderCode(frame, buildModel())
    if (state.step !== before.step) {
      clearTimeout(quickCheck)
      quickCheck = state.step === 'checking' ? setTimeout(showCheck, quickCheck_ms) : undefined
    }
    render()
    if (state.recovered && !before.recovered) setTimeout(() => change({ kind: 'recovery_seen' }), recovery_ms)
    if (isEnd(state.step) && !isEnd(before.step)) release()
    if (before.step !== state.step && before.step !== 'loading') focusTitle(frame)
    dispatchChange(host, settings.id, before, state)
  }

  function showCheck(): void {
    quickCheck = undefined
    render()
    focusTitle(frame)
  }

  function render(): void {
    if (quickCheck !== undefined) return
    renderFrame(frame, language.lang, buildModel())
    host.dataset['step'] = state.step
  }

  function buildModel(): ViewModel {
    const { session, dc } = state
    const methods = host.getAttribute('methods')
    return {
      state,
      channels: session === undefined ? [] : planChannels({ session, dc, device, methods }),
      links: planLinks(session ?? {}, host.getAttribute('scheme')),
      device,
      hosted: settings.base_url === location.origin,
      page_url: service.page_url,
      say,
      actions,
    }
  }

  function say(key: keyof ComponentTexts, more: Record<string, string> = {}): string {
    const { merchant, purpose = '' } = state.session ?? {}
    return fillIn(language.texts[key], { merchant: merchant?.name ?? '', purpose, ...more })
  }

  async function receiveSession(session: HolderSession): Promise<void> {
    if (session.lang !== language.lang) language = await loadTexts(session, service)
    const first = state.session === undefined
    change({ kind: 'session_read', session })
    if (isEnd(state.step)) return
    countdown.start(session)
    if (first && session.dc_api === true) dcCalls.prepare()
  }

  /** Where a wallet has responded before, the next read shows the outcome instead. */
  async function leave(): Promise<void> {
    const ended = isEnd(state.step)
    const { return_url } = (ended ? state.session : await service.cancel().catch(() => undefined)) ?? {}
    const manual = !ended && host.getAttribute('redirect') === 'manual'
    if (return_url !== undefined && safeHref(return_url) !== undefined && !manual) location.assign(return_url)
    else following.refresh()
  }

  const dcCalls = createDcCalls({ service, onChange: change })
  const link = watchLink(signal, () => change({ kind: 'nothing_happened' }))
  const countdown = createCountdown({
    onTime(time) {
      frame.time.hidden = !isOpen(state.step)
      frame.time.textContent = say('time_left', { time })
    },
    onWarning: () => (frame.live.textContent = say('one_minute_left')),
    onOver: () => following.refresh(),
  })
  const actions: Actions = {
    callWallet: dcCalls.call,
    followLink(uri) {
      link.follow()
      // After the browser has followed the link, because the change replaces its element.
      setTimeout(() => change({ kind: 'link_followed', uri }))
    },
    openSheet: (sheet) => change({ kind: 'sheet_opened', sheet }),
    closeSheet: () => change({ kind: 'sheet_closed' }),
    chooseCountry: (country) => change({ kind: 'country_chosen', country }),
    chooseCode: (code) => change({ kind: 'code_chosen', code }),
    copyLink: () => copyLink(service, change),
    tryAgain: () => change({ kind: 'tried_again' }),
    leave: () => void leave(),
    retry: () => following.refresh(),
  }

  // Escape closes it, and so does a click beside it.
  frame.sheet.addEventListener('close', actions.closeSheet, { signal })
  frame.sheet.addEventListener('click', ({ target }) => target === frame.sheet && actions.closeSheet(), {
    signal,
  })

  render()
  const following = followSession({
    service,
    onSession(session) {
      received = received.then(() => receiveSession(session)).catch(() => undefined)
    },
    onCode: (code) => change({ kind: 'code_moved', code }),
    onUnavailable: () => change({ kind: 'session_unavailable' }),
    onLost: () => change({ kind: 'session_not_read' }),
  })
  watchPage(signal, {
    onSeen: following.refresh,
    onColours: render,
    onNetwork(online) {
      change({ kind: 'network', online })
      following.refresh()
    },
  })
  const release = () => {
    clearTimeout(quickCheck)
    countdown.stop()
    following.stop()
    dcCalls.close()
  }
  signal.addEventListener('abort', release)
  const canLeave = () => !isEnd(state.step) || state.session?.return_url !== undefined
  return { update: render, canLeave, leave: actions.leave, stop: () => stopping.abort() }
}

/** The clipboard is missing outside secure contexts, and the browser may refuse it. */
function copyLink({ page_url }: SessionService, onChange: (change: StateChange) => void): void {
  const copy = async () => navigator.clipboard.writeText(page_url)
  copy().then(
    () => onChange({ kind: 'link_copied', worked: true }),
    () => onChange({ kind: 'link_copied', worked: false }),
  )
}
