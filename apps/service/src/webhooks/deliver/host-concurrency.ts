/** How many messages a host may have open at once. */
export type HostConcurrency = {
  limit(host: string): number
  /**
   * Is told in every round which hosts have something ready, and which of them have as much open as they may, with how many
   * they could use at most. `all` is false when there are more hosts than these.
   */
  update(round: { ready: ReadonlySet<string>; full: ReadonlyMap<string, number>; complete: boolean }): void
}

type HostBacklog = { open: number; since_ms: number; seen_ms: number }

const step_ms = 500

/**
 * What is open when a worker is killed may be sent twice, so a host begins with one message at a time and goes on with the
 * next when its outcome is recorded. Only a host that has stayed behind for half a second gets twice as many, and so on; one
 * that keeps up again goes back by half as often.
 */
export function openHostConcurrency(now_ms: () => number = () => performance.now()): HostConcurrency {
  const behind = new Map<string, HostBacklog>()

  return {
    limit: (host) => behind.get(host)?.open ?? 1,
    update({ ready, full, complete: all }) {
      const now = now_ms()
      for (const [host, most] of full) {
        const known = behind.get(host) ?? { open: 1, since_ms: now, seen_ms: now }
        known.seen_ms = now
        if (now - known.since_ms >= step_ms) {
          known.open = Math.min(most, 2 * known.open)
          known.since_ms = now
        }
        behind.set(host, known)
      }
      for (const [host, known] of behind) {
        if (all && !ready.has(host)) known.since_ms = now
        if (now - known.seen_ms < step_ms) continue
        known.open /= 2
        known.seen_ms = now
        if (known.open < 1) behind.delete(host)
      }
    },
  }
}
