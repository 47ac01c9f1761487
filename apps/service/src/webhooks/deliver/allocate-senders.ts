/** A tenant's events to one host. */
export type Lane = { tenant_id: string; host: string }

/** A lane with how many of its events may be claimed now. */
export type Allocation = Lane & { room: number }

export type AllocateSenders = {
  lanes: readonly Lane[]
  /** What this process has claimed and not yet recorded. */
  open: readonly Lane[]
  /** Senders that have nothing to do. */
  free: number
  /** How many a host may have open. */
  allowed: (host: string) => number
}

/**
 * Nobody holds more senders than these, however many events it has: a dead receiver holds its senders for ten seconds each.
 * `host` counts the lines that carry a message to it.
 */
export const maxSenders = { total: 256, tenant: 64, host: 16 }

/**
 * Shares the free senders out among lanes: equally, those that hold fewest first, and within what a tenant and a host may
 * hold (HOOK-9). What one lane cannot use goes to the others in the next round, which follows at once.
 */
export function allocateSenders({ lanes, open, free, allowed }: AllocateSenders): Allocation[] {
  const ofLane = countBy(open, laneKey)
  const ofTenant = countBy(open, ({ tenant_id }) => tenant_id)
  const ofHost = countBy(open, ({ host }) => host)
  const each = Math.ceil(free / Math.max(lanes.length, 1))
  let left = free
  const shares: Allocation[] = []
  for (const { tenant_id, host } of lanes.toSorted((a, b) => openCount(ofLane, a) - openCount(ofLane, b))) {
    const tenantHolds = ofTenant.get(tenant_id) ?? 0
    const hostHolds = ofHost.get(host) ?? 0
    const room = Math.min(each, left, maxSenders.tenant - tenantHolds, allowed(host) - hostHolds)
    if (room <= 0) continue
    shares.push({ tenant_id, host, room })
    ofTenant.set(tenant_id, tenantHolds + room)
    ofHost.set(host, hostHolds + room)
    left -= room
  }
  return shares
}

export function laneKey({ tenant_id, host }: Lane): string {
  return `${tenant_id} ${host}`
}

function openCount(ofLane: ReadonlyMap<string, number>, lane: Lane): number {
  return ofLane.get(laneKey(lane)) ?? 0
}

function countBy(lanes: readonly Lane[], keyOf: (lane: Lane) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const lane of lanes) counts.set(keyOf(lane), (counts.get(keyOf(lane)) ?? 0) + 1)
  return counts
}
