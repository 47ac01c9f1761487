import { isOutcome, type HolderSession, type MovedCode } from './holder-session.ts'
import type { SessionService } from './service.ts'

export type FollowSession = {
  service: Pick<SessionService, 'readSession' | 'eventsUrl'>
  onSession: (session: HolderSession) => void
  /** What the QR code contains now, if it changes. */
  onCode: (code: MovedCode) => void
  onUnavailable: () => void
  /** The session could not be read. It is tried again until `stop`. */
  onLost: () => void
  /** For tests. */
  environment?: FollowEnvironment
}

type FollowEnvironment = {
  EventSource: new (url: string) => PhaseSource
  sleep: (callback: () => void, ms: number) => () => void
  random: () => number
}

type PhaseSource = {
  addEventListener: (type: string, listener: (event: Event) => void) => void
  close: () => void
}

export type FollowedSession = { refresh: () => void; stop: () => void }

const firstPause_ms = 1000
const maxPause_ms = 5000

/**
 * Reads the session, and again whenever its phase changes. Phases arrive as server-sent events; while there is no such connection, the
 * session is read again after a pause that grows up to five seconds. Ends with the outcome.
 */
export function followSession(options: FollowSession): FollowedSession {
  const { service, onSession, onCode, onUnavailable, onLost, environment = browserEnvironment() } = options
  let source: PhaseSource | undefined
  let cancelPause = (): void => undefined
  let failures = 0
  let known = ''
  let stopped = false
  let reading = false
  let readAgain = false

  function stop(): void {
    stopped = true
    cancelPause()
    source?.close()
    source = undefined
  }

  async function read(): Promise<void> {
    try {
      const session = await service.readSession()
      if (stopped) return
      if (session === undefined) {
        stop()
        return onUnavailable()
      }
      const { phase, attempt, moving_code = false } = session
      known = describePhase({ phase, attempts_left: attempt?.left })
      if (isOutcome(phase)) stop()
      else if (source === undefined) listen(moving_code)
      onSession(session)
    } catch {
      if (stopped) return
      onLost()
      pause()
    }
  }

  /** One read at a time: a response that was overtaken by a later one would bring back an old phase. */
  function refresh(): void {
    if (stopped) return
    if (reading) {
      readAgain = true
      return
    }
    cancelPause()
    reading = true
    const finish = () => {
      reading = false
      if (!readAgain) return
      readAgain = false
      refresh()
    }
    read().then(finish, finish)
  }

  function listen(moving: boolean): void {
    const opened = new environment.EventSource(service.eventsUrl(moving))
    source = opened
    opened.addEventListener('phase', (event) => {
      failures = 0
      if (describePhase(readData<PhaseData>(event)) !== known) refresh()
    })
    opened.addEventListener('code', (event) => {
      const { uri } = readData<MovedCode>(event)
      if (uri !== undefined) onCode({ uri })
    })
    // Not left to the browser, which gives up for good if the service refuses once.
    opened.addEventListener('error', () => {
      opened.close()
      if (source !== opened) return
      source = undefined
      pause()
    })
  }

  function pause(): void {
    cancelPause()
    const length_ms = Math.min(maxPause_ms, firstPause_ms * 2 ** Math.min(failures, 3))
    failures += 1
    cancelPause = environment.sleep(refresh, length_ms * (0.75 + environment.random() / 2))
  }

  refresh()
  return { refresh, stop }
}

type PhaseData = { phase: string; attempts_left: number | undefined }

/** After a response that failed, the phase may be the same as before. */
function describePhase({ phase, attempts_left }: Partial<PhaseData>): string {
  return `${phase} ${attempts_left}`
}

/** Sent by the service, but what cannot be read is taken for nothing. */
function readData<Data>(event: Event): Partial<Data> {
  try {
    return JSON.parse((event as MessageEvent<string>).data) as Partial<Data>
  } catch {
    return {}
  }
}

function browserEnvironment(): FollowEnvironment {
  return {
    EventSource,
    sleep(callback, ms) {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  }
}
