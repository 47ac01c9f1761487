/** A tenant's events to one host. */
export type ReceiverQueue = { tenant_id: string; host: string }

/** How many events of a receiver queue may be claimed now. */
export type Allocation = ReceiverQueue & { count: number }

type AllocateSenders = {
  queues: readonly ReceiverQueue[]
  /** The receiver queue of each event that this process has claimed and not yet recorded. */
  open: readonly ReceiverQueue[]
  /** Idle senders. */
  free: number
  /** How many messages a host may have open. */
  hostLimit: (host: string) => number
  /** The round in which a receiver queue last got a sender. */
  lastServed?: (queue: ReceiverQueue) => number
}

/**
 * The most senders in use: per process, per tenant and per host, however many events are waiting. A receiver that does not
 * respond occupies each of its senders for ten seconds. `host` limits the messages being sent to it while it responds within `quick_ms`,
 * `slow_host` otherwise, and `mail` those to the mail server.
 */
export const maxSenders = { total: 256, tenant: 64, host: 64, slow_host: 16, mail: 4 }

const quick_ms = 1000

/**
 * Divides the free senders equally among the receiver queues, starting with those that use the fewest and then those that waited
 * longest, within the limits of tenants and hosts (HOOK-9). What one queue cannot use goes to the others in the next round, which
 * follows at once.
 */
export function allocateSenders({
  queues,
  open,
  free,
  hostLimit,
  lastServed = () => 0,
}: AllocateSenders): Allocation[] {
  const openByQueue = countBy(open, queueKey)
  const openByTenant = countBy(open, ({ tenant_id }) => tenant_id)
  const openByHost = countBy(open, ({ host }) => host)
  const perQueue = Math.ceil(free / Math.max(queues.length, 1))
  let left = free
  const allocations: Allocation[] = []
  for (const { tenant_id, host } of queues.toSorted(
    (a, b) => openCount(openByQueue, a) - openCount(openByQueue, b) || lastServed(a) - lastServed(b),
  )) {
    const tenantOpen = openByTenant.get(tenant_id) ?? 0
    const hostOpen = openByHost.get(host) ?? 0
    const count = Math.min(perQueue, left, maxSenders.tenant - tenantOpen, hostLimit(host) - hostOpen)
    if (count <= 0) continue
    allocations.push({ tenant_id, host, count })
    openByTenant.set(tenant_id, tenantOpen + count)
    openByHost.set(host, hostOpen + count)
    left -= count
  }
  return allocations
}

export function queueKey({ tenant_id, host }: ReceiverQueue): string {
  return `${tenant_id} ${host}`
}

function openCount(openByQueue: ReadonlyMap<string, number>, queue: ReceiverQueue): number {
  return openByQueue.get(queueKey(queue)) ?? 0
}

function countBy(
  queues: readonly ReceiverQueue[],
  keyOf: (queue: ReceiverQueue) => string,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const queue of queues) counts.set(keyOf(queue), (counts.get(keyOf(queue)) ?? 0) + 1)
  return counts
}

/** Bounds how many messages are being sent to a host at once. */
export type HostSlots = {
  /** Takes a slot, or waits for one in order of arrival. False if none became free in time. */
  acquire(host: string): boolean | Promise<boolean>
  /** `took_ms`: how long the host took to respond. */
  release(host: string, took_ms: number): void
  /** How many messages may be open to a host. When every slot waits for the receiver, more messages would only wait as well. */
  maxUseful(host: string): number
}

type HostState = { taken: number; limit: number; waiting: Set<() => void> }

/** After this time an event goes back to the queue: its lease would not outlast a receiver that hangs. */
const maxWait_ms = 1000

/** Most events of a busy host wait here, so waiting costs a plain timer and not a signal, which also builds an error when it fires. */
export function openHostSlots(): HostSlots {
  const hosts = new Map<string, HostState>()

  return {
    acquire(host) {
      const state = hosts.get(host) ?? { taken: 0, limit: maxSenders.slow_host, waiting: new Set() }
      hosts.set(host, state)
      if (state.taken >= state.limit) return waitForSlot(state)
      state.taken += 1
      return true
    },
    release(host, took_ms) {
      const state = hosts.get(host)
      if (state === undefined) return
      state.limit = took_ms < quick_ms ? maxSenders.host : maxSenders.slow_host
      state.taken -= 1
      for (const next of state.waiting) {
        if (state.taken >= state.limit) return
        state.taken += 1
        next()
      }
      if (state.taken === 0) hosts.delete(host)
    },
    maxUseful(host) {
      const state = hosts.get(host)
      return state !== undefined && state.taken >= state.limit ? state.limit : maxSenders.tenant
    },
  }
}

function waitForSlot({ waiting }: HostState): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isGranted: boolean) => {
      clearTimeout(timer)
      waiting.delete(grant)
      resolve(isGranted)
    }
    const grant = () => end(true)
    const timer = setTimeout(() => end(false), maxWait_ms)
    waiting.add(grant)
  })
}
