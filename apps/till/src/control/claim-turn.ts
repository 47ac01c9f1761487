/** A tab with a pairing link waits for the end of a check; someone who wants to use the tab does not. */
export type TurnRequest = 'hand over' | 'stop and hand over'

export type TurnOptions = {
  /** Names the lock: one for each token store. */
  name: string
  /** Whether to ask the tab that has the turn to pass it on, as a tab with a pairing link does. */
  insist: boolean
  /** Somebody wants to use another tab: what is in progress here ends. */
  onStopWanted: () => void
  /** Whether this tab may pass its turn on now. */
  mayHandOver: () => boolean
  /** Whether the last request has ended. Until then this tab keeps the turn: the new tokens are on their way to it. */
  idle: () => boolean
  onTurn: () => void
  onWaiting: () => void
  onHandedOver: () => void
}

/** Five seconds. After that, someone has to ask again. */
const retryInterval_ms = 250
const maxRetries = 20

/**
 * Of all tabs that share a pairing, one has the turn to ask. A Web Lock decides, and the browser passes it on when the tab is
 * closed or dies. Returns a function that asks the other tab to hand over.
 */
export function claimTurn(options: TurnOptions): (request: TurnRequest) => void {
  const { name, insist, onStopWanted, mayHandOver, idle, onTurn, onWaiting, onHandedOver } = options
  const channel = new BroadcastChannel(name)
  let release: (() => void) | undefined

  const hold = () =>
    new Promise<void>((resolve) => {
      release = resolve
      onTurn()
    })

  /** Waits behind the other tabs; the lock is granted once they are gone or hand over. */
  function wait(): void {
    void navigator.locks.request(name, hold).catch(onWaiting)
  }

  function handOver(retries: number): void {
    if (release === undefined || !mayHandOver()) return
    if (!idle()) {
      if (retries > 0) setTimeout(() => handOver(retries - 1), retryInterval_ms)
      return
    }
    onHandedOver()
    release()
    release = undefined
    wait()
  }

  channel.addEventListener('message', ({ data }) => {
    if (release !== undefined && data === ('stop and hand over' satisfies TurnRequest)) onStopWanted()
    handOver(maxRetries)
  })

  const askForTurn = (request: TurnRequest) => channel.postMessage(request)
  void navigator.locks
    .request(name, { ifAvailable: true }, (lock) => {
      if (lock !== null) return hold()
      onWaiting()
      wait()
      if (insist) askForTurn('hand over')
      return undefined
    })
    .catch(onWaiting)
  return askForTurn
}
