import type { HolderSession } from './holder-session.ts'

/** The time is shown only when it is nearly over: a countdown from the start would only press people. */
const shown_ms = 120_000
const warned_ms = 60_000

export type Countdown = {
  /** Starts again with each session that is read. */
  start: (session: HolderSession) => void
  /** For good: a session that was still being read starts nothing. */
  stop: () => void
}

type CountdownOptions = {
  /** Called every second in the last two minutes. */
  onTime: (text: string) => void
  /** Called once, a minute before the end (WCAG 2.2, 2.2.1). */
  onWarning: () => void
  /** Called when the time is over, and every other second from then on until `stop`. */
  onOver: () => void
}

/** Counts by the service's clock: the browser's may be wrong. */
export function createCountdown({ onTime, onWarning, onOver }: CountdownOptions): Countdown {
  let timer: ReturnType<typeof setTimeout> | undefined
  let end_ms = 0
  let warned = false
  let stopped = false

  function tick(): void {
    const left_ms = end_ms - Date.now()
    if (left_ms <= 0) {
      onTime(formatTime(0))
      timer = setTimeout(tick, 2000)
      onOver()
      return
    }
    if (left_ms <= shown_ms) onTime(formatTime(left_ms))
    if (left_ms <= warned_ms && !warned) {
      warned = true
      onWarning()
    }
    timer = setTimeout(tick, left_ms > shown_ms ? left_ms - shown_ms : left_ms % 1000 || 1000)
  }

  return {
    start({ expires_at, now }) {
      if (stopped) return
      clearTimeout(timer)
      end_ms = Date.now() + Date.parse(expires_at) - Date.parse(now)
      tick()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Minutes and seconds, rounded up: `1:05`. */
export function formatTime(left_ms: number): string {
  const seconds = Math.ceil(left_ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
