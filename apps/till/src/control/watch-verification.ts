import type { HolderCodeEvent, HolderPhaseEvent } from '@vidimus/contract'
import { pause } from './repeat.ts'

export type OpenPhase = { scanned: boolean; failed_once: boolean }

export type WatchOptions = {
  id: string
  /** While it is open: whether a wallet has fetched the request, and whether a response failed and may be repeated. */
  onPhase: (phase: OpenPhase) => void
  /** The content of the QR code from now on. */
  onCode: (uri: string) => void
  /** There is no stream at present. */
  onLost: () => void
}

export type VerificationWatch = {
  /** Whether events arrive. If not, the status has to be polled. */
  isLive: () => boolean
  /** The phase in which the verification ended, if it did. */
  endedAs: () => string | undefined
  /** Resolves after this time, and earlier once the verification has ended or the stream is lost. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  close: () => void
}

const reopenInterval_ms = 5000
/** A code is sent every 20 seconds. A stream that is silent for longer is dead, even if the browser has not noticed. */
const maxSilence_ms = 35_000
/** The first events come at once, unless a proxy collects them: nobody waits for a code that long. */
const maxOpening_ms = 3000

/** Listens to the phases and to the moving code of one verification, and opens the stream again whenever it is lost. */
export function watchVerification({ id, onPhase, onCode, onLost }: WatchOptions): VerificationWatch {
  const url = `/verify/${encodeURIComponent(id)}/events?code=moving`
  let source: EventSource | undefined
  let live = false
  let ended: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wake = (): void => undefined

  function open(): void {
    const opened = new EventSource(url)
    source = opened
    const lose = () => {
      opened.close()
      if (source !== opened) return
      close()
      timer = setTimeout(open, reopenInterval_ms)
      onLost()
      wake()
    }
    const expectMore = (within_ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(lose, within_ms)
    }
    opened.addEventListener('phase', ({ data }) => {
      expectMore(maxSilence_ms)
      live = true
      const { phase, attempts_left } = readEvent<HolderPhaseEvent>(data)
      if (phase === 'pending' || phase === 'opened')
        return onPhase({ scanned: phase === 'opened', failed_once: attempts_left !== undefined })
      ended = phase
      close()
      wake()
    })
    opened.addEventListener('code', ({ data }) => {
      expectMore(maxSilence_ms)
      live = true
      onCode(readEvent<HolderCodeEvent>(data).uri)
    })
    opened.addEventListener('error', lose)
    expectMore(maxOpening_ms)
  }

  function close(): void {
    clearTimeout(timer)
    source?.close()
    source = undefined
    live = false
  }

  open()
  return {
    isLive: () => live,
    endedAs: () => ended,
    async wait(ms, signal) {
      if (ended !== undefined) return
      const news = new Promise<void>((resolve) => (wake = resolve))
      const waiting = new AbortController()
      try {
        await Promise.race([news, pause(ms, AbortSignal.any([signal, waiting.signal]))])
      } finally {
        waiting.abort()
      }
    },
    close,
  }
}

/** The service's own events are taken as its types say. */
function readEvent<Data>(data: unknown): Data {
  return JSON.parse(String(data)) as Data
}
