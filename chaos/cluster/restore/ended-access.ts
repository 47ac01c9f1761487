/** Something that was erased or revoked, and a request that must not succeed any more. */
type EndedThing = { kind: EndedKind; ended_at: number; isAccepted: () => Promise<boolean> }
type EndedKind = 'verification' | 'key' | 'device' | 'member_session'

export type Probes = {
  /** Adds something whose end was just acknowledged. */
  add(thing: Omit<EndedThing, 'ended_at'>): void
  counts(): Record<EndedKind, number>
  requests(): number
  /** How often something was accepted although its end had been acknowledged. */
  accepted: Record<EndedKind, number>
  /** Asks for every one of them once. */
  askAll(): Promise<void>
} & AsyncDisposable

const concurrency = 4
const pause_ms = 40

/** Asks all the time, whatever happens to the service, for things that were erased or revoked. An error is not an acceptance. */
export function startProbes(): Probes {
  const things: EndedThing[] = []
  const accepted = { verification: 0, key: 0, device: 0, member_session: 0 }
  let requests = 0
  let stopped = false
  let next = 0
  async function ask({ kind, isAccepted }: EndedThing): Promise<void> {
    requests += 1
    if (await isAccepted().catch(() => false)) accepted[kind] += 1
  }
  async function askInTurn(): Promise<void> {
    while (!stopped) {
      // The newest are asked for most often: they are what a restore brings back.
      next = next <= 0 ? Math.min(things.length, 200) : next - 1
      const thing = things[things.length - 1 - next]
      if (thing !== undefined) await ask(thing)
      await new Promise((resolve) => setTimeout(resolve, pause_ms))
    }
  }
  const loops = Array.from({ length: concurrency }, askInTurn)
  return {
    add: (thing) => void things.push({ ...thing, ended_at: Date.now() }),
    counts() {
      const counts = { verification: 0, key: 0, device: 0, member_session: 0 }
      for (const { kind } of things) counts[kind] += 1
      return counts
    },
    requests: () => requests,
    accepted,
    async askAll() {
      for (let from = 0; from < things.length; from += concurrency)
        await Promise.all(things.slice(from, from + concurrency).map(ask))
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      await Promise.all(loops)
    },
  }
}
