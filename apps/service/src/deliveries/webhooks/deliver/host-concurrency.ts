/** Limits how many messages may be open to a host at once. */
export type HostConcurrency = {
  limit(host: string): number
  /**
   * Called once per round: `ready` are the hosts with ready events, `saturated` those of them that are at their limit, each
   * with the highest limit that would help. `complete` is false if there are further hosts with ready events.
   */
  update(round: {
    ready: ReadonlySet<string>
    saturated: ReadonlyMap<string, number>
    complete: boolean
  }): void
}

/** `since_ms`: start of the current backlog, or the last increase. `saturated_ms`: last time at the limit, or the last decrease. */
type HostBacklog = { limit: number; since_ms: number; saturated_ms: number }

const step_ms = 500

/**
 * Messages that are open when a worker is killed may be sent twice, so a host starts with one open message: the next is sent
 * once the outcome is recorded. The limit doubles for every half second of uninterrupted backlog, and halves for every half
 * second without one.
 */
export function openHostConcurrency(now_ms: () => number = () => performance.now()): HostConcurrency {
  const backlogs = new Map<string, HostBacklog>()

  return {
    limit: (host) => backlogs.get(host)?.limit ?? 1,
    update({ ready, saturated, complete }) {
      const now = now_ms()
      for (const [host, maxUseful] of saturated) {
        const backlog = backlogs.get(host) ?? { limit: 1, since_ms: now, saturated_ms: now }
        backlog.saturated_ms = now
        if (now - backlog.since_ms >= step_ms) {
          backlog.limit = Math.min(maxUseful, 2 * backlog.limit)
          backlog.since_ms = now
        }
        backlogs.set(host, backlog)
      }
      for (const [host, backlog] of backlogs) {
        if (complete && !ready.has(host)) backlog.since_ms = now
        if (now - backlog.saturated_ms < step_ms) continue
        backlog.limit /= 2
        backlog.saturated_ms = now
        if (backlog.limit < 1) backlogs.delete(host)
      }
    },
  }
}
