export type TillConnection = {
  /** For the SDK. Every response and every failure shows whether the service can be reached. */
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970, by the clock of the service. The tablet's own clock is used only before the first response. */
  now: () => number
  /** Whether no request of the SDK is in progress, and what the last one returned has been stored. */
  idle: () => boolean
  /** The `Authorization` of the last request that had one: a page that is closed cannot wait for the stored token. */
  authorization: () => string | undefined
  /** Asks at once whether the service can be reached. */
  probe: () => Promise<void>
}

export type ConnectionOptions = { onChange: (online: boolean) => void }

/** A small file that is never cached. It needs no token, and its response says what time it is. */
const probePath = '/till/manifest.webmanifest'
const probeTimeout_ms = 5000
const probeInterval_ms = { online: 15_000, offline: 3000 }
/** Enough for a slow tablet to store new tokens. */
const storing_ms = 2000

/**
 * Watches the connection to the service. `navigator.onLine` only knows about the network, so a probe is sent as well, more
 * often while there is no response. Time is taken from the service's `Date` and goes on by a clock that nobody can set.
 */
export function openConnection({ onChange }: ConnectionOptions): TillConnection {
  let online = navigator.onLine
  let timer: ReturnType<typeof setTimeout> | undefined
  let known: { service_ms: number; at_ms: number } | undefined
  let inProgress = 0
  let idleSince_ms = -storing_ms
  let authorization: string | null = null

  function report(reached: boolean): void {
    if (reached === online) return
    online = reached
    onChange(online)
    schedule()
  }

  function readClock(response: Response): void {
    const date = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(date)) known = { service_ms: date, at_ms: performance.now() }
  }

  async function probe(): Promise<void> {
    try {
      const response = await fetch(probePath, {
        cache: 'no-store',
        signal: AbortSignal.timeout(probeTimeout_ms),
      })
      readClock(response)
      // A proxy without a service behind it responds too.
      report(response.status < 500)
    } catch {
      // No response within the time.
      report(false)
    }
  }

  function schedule(): void {
    clearTimeout(timer)
    const interval_ms = online ? probeInterval_ms.online : probeInterval_ms.offline
    timer = setTimeout(() => void probe().finally(schedule), interval_ms)
  }

  addEventListener('offline', () => report(false))
  addEventListener('online', () => void probe())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void probe()
  })
  schedule()
  if (!online) onChange(false)

  return {
    probe,
    authorization: () => authorization ?? undefined,
    idle: () => inProgress === 0 && performance.now() - idleSince_ms >= storing_ms,
    now: () => (known === undefined ? Date.now() : known.service_ms + performance.now() - known.at_ms),
    async fetch(url, init) {
      inProgress += 1
      authorization = new Headers(init.headers).get('authorization') ?? authorization
      try {
        const response = await fetch(url, init)
        readClock(response)
        // A server error may come from a proxy without a service behind it: only a probe decides then.
        if (response.status < 500) report(true)
        return response
      } catch (error) {
        if (!wasStopped(init.signal)) report(false)
        throw error
      } finally {
        inProgress -= 1
        idleSince_ms = performance.now()
      }
    },
  }
}

/** Whether the till itself ended the request, as opposed to a timeout. */
function wasStopped(signal: AbortSignal | null | undefined): boolean {
  return (
    signal?.aborted === true && !(signal.reason instanceof Error && signal.reason.name === 'TimeoutError')
  )
}
