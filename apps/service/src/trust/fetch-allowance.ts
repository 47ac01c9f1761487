import { boundedMap } from '@vidimus/protocol'

/**
 * The most that a process fetches in a minute for the verifications of one tenant. A tenant may trust its own issuer, whose credentials
 * can name any public host. A fetch counts as at least `minFetch_bytes`, so that their number is bounded too. A fetch in progress is not
 * interrupted when the limit is reached.
 */
export const fetchLimits = { maxPerMinute_bytes: 64 * 1024 * 1024, minFetch_bytes: 64 * 1024 }

const window_seconds = 60
const maxTenants = 10_000

export type FetchAllowance = {
  /** `now` is in seconds since 1970. */
  isUsedUp(tenantId: string, now: number): boolean
  /** Counts a fetch. The returned function counts what was received. */
  begin(tenantId: string, now: number): (received_bytes: number) => void
}

/** Counts what is fetched for each tenant, in this process. */
export function openFetchAllowance(): FetchAllowance {
  const windows = boundedMap<string, { ends: number; used_bytes: number }>(maxTenants)
  const current = (tenantId: string, now: number) => {
    const window = windows.get(tenantId)
    return window !== undefined && now < window.ends ? window : undefined
  }
  return {
    isUsedUp: (tenantId, now) => (current(tenantId, now)?.used_bytes ?? 0) >= fetchLimits.maxPerMinute_bytes,
    begin(tenantId, now) {
      const window = current(tenantId, now) ?? { ends: now + window_seconds, used_bytes: 0 }
      windows.set(tenantId, window)
      window.used_bytes += fetchLimits.minFetch_bytes
      return (received_bytes) => {
        window.used_bytes += Math.max(0, received_bytes - fetchLimits.minFetch_bytes)
      }
    },
  }
}
