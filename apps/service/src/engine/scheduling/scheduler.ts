import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../basics/refusal.ts'
import { noWaits, runAs, type Work } from './work.ts'

/**
 * An owner is who a request is for: a tenant, or an address before authentication. Its work is estimated in milliseconds of the
 * event loop, a database connection or a thread.
 */
export const schedulerLimits = {
  /** Work of one owner in progress while others are present. One request always is, however much work it is. */
  owner_ms: 8,
  /** Work in progress of all owners that used more than their share. */
  all_ms: 32,
  /** What an owner may use for nothing, as a part of the time. What it uses beyond is its debt, and owners in debt wait for others. */
  share: 0.25,
  /** Debt beyond this is forgiven, so that an owner that stops is served like others some seconds later. */
  maxDebt_ms: 2000,
  /** An owner counts as present for this long after its last request. */
  present_ms: 10_000,
  maxActive: 1000,
  /** Waiting requests of one owner, and of all. Routes that are shed last may wait for longer queues. */
  maxWaiting: { each: 1000, first: 4000, last: 8000 },
  maxWait_ms: 10_000,
  maxOwners: 50_000,
}

type EnterOptions = { owner: string; shedLast?: boolean }

export type Scheduler = {
  /** Calls `start` as soon as the owner may start a request: at once, or in a later turn of the event loop. */
  enter(options: EnterOptions, start: (refusal?: Refusal) => void): Work
  active(): number
  waiting(): number
}

type Owner = {
  name: string
  /** Requests that have not ended, also those that wait or are paused. */
  open: number
  active: number
  /** Estimates of the requests in progress. */
  work_ms: number
  /** What a request of this owner costs: rises at once, falls slowly. */
  mean_ms: number
  debt_ms: number
  /** What it has begun in one turn of the event loop, and in which. */
  begun_ms: number
  turn: number
  /** When the debt was computed, and when the owner was last present. */
  at_ms: number
  waiting: Entry[]
}

type Entry = { owner: Owner; start: (refusal?: Refusal) => void; timer: NodeJS.Timeout | undefined }

const initialMean_ms = 2
/** One slow statement, for example behind a lock, must not hold an owner back for long. */
const maxMean_ms = 50
const meanFall = 0.05

/**
 * Lets owners take turns. An owner that is alone is never held back. While others are present, each has a few milliseconds of work
 * in progress, at least one request; further ones wait, and the owner with the smallest debt goes first. So an owner delays others by one
 * of its requests, however many it sends, and since it is charged for what its requests cost, expensive ones are not cheaper to
 * send than many.
 */
export function openScheduler(limits = schedulerLimits): Scheduler {
  const owners = new Map<string, Owner>()
  /** The owners that have waiting requests. */
  const queue = new Set<Owner>()
  let active = 0
  let waiting = 0
  let work_ms = 0
  let sweptAt_ms = 0
  let isPumping = false
  let turn = 1
  let isTurnCounted = false

  return {
    enter({ owner: name, shedLast = false }, start) {
      let owner = findOwner(name)
      owner.open += 1
      let estimate_ms = 0
      let cost_ms = 0
      let state: 'waiting' | 'active' | 'paused' | 'ended' = 'waiting'
      let entry: Entry | undefined
      /** Ends the wait of a request that had started. */
      let abandon: ((refusal: Refusal) => void) | undefined

      const work: Work = {
        owner: () => owner.name,
        waits: noWaits(),
        tenant_id: undefined,
        charge(ms, elsewhere = false) {
          if (!elsewhere) cost_ms += ms
          owner.debt_ms = Math.min(owner.debt_ms + ms, limits.maxDebt_ms)
        },
        continueAs(next) {
          if (next === owner.name || state !== 'active') return undefined
          stop()
          owner.open -= 1
          // An address whose requests have all moved on to their tenants does not count as present.
          if (owner.open === 0 && owner.debt_ms <= limits.owner_ms) owners.delete(owner.name)
          owner = findOwner(next)
          owner.open += 1
          owner.debt_ms += cost_ms
          return takeTurnAgain()
        },
        pause() {
          if (state !== 'active') return
          stop()
          state = 'paused'
        },
        resume: () => (state === 'paused' ? takeTurnAgain() : undefined),
        end() {
          if (state === 'active') {
            learn(owner, cost_ms)
            stop()
          } else if (state === 'waiting' && entry !== undefined) {
            forget(entry)
            abandon?.(overloaded())
          }
          close()
        },
      }
      if (begin()) runAs(work, () => start())
      else {
        const inContext = AsyncLocalStorage.snapshot()
        wait((refusal) => inContext(() => runAs(work, () => start(refusal))))
      }
      return work

      function close(): void {
        if (state !== 'ended') owner.open -= 1
        state = 'ended'
      }

      function begin(): boolean {
        if (owner.waiting.length > 0 || !canStart(owner)) return false
        occupy()
        return true
      }

      function takeTurnAgain(): Promise<void> | undefined {
        if (begin()) return undefined
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        abandon = reject
        wait((refusal) => (refusal === undefined ? resolve() : reject(refusal)))
        return promise
      }

      function occupy(): void {
        state = 'active'
        estimate_ms = estimateOf(owner)
        countBegun(owner, estimate_ms)
        owner.active += 1
        owner.work_ms += estimate_ms
        active += 1
        work_ms += estimate_ms
      }

      function stop(): void {
        owner.active -= 1
        owner.work_ms -= estimate_ms
        active -= 1
        // Sums of fractions would drift.
        work_ms = active === 0 ? 0 : work_ms - estimate_ms
        if (queue.size > 0) pumpSoon()
      }

      function wait(onStart: (refusal?: Refusal) => void): void {
        state = 'waiting'
        if (
          owner.waiting.length >= limits.maxWaiting.each ||
          waiting >= limits.maxWaiting[shedLast ? 'last' : 'first']
        ) {
          close()
          onStart(overloaded())
          return
        }
        const asked_ms = performance.now()
        const own: Entry = {
          owner,
          timer: undefined,
          start(refusal) {
            work.waits.turn_ms += performance.now() - asked_ms
            if (refusal === undefined) occupy()
            else close()
            onStart(refusal)
          },
        }
        own.timer = setTimeout(() => {
          forget(own)
          own.start(overloaded())
        }, limits.maxWait_ms).unref()
        entry = own
        owner.waiting.push(own)
        queue.add(owner)
        waiting += 1
        // If it waits only for another turn of the event loop, nothing else will start it.
        pumpSoon()
      }
    },
    active: () => active,
    waiting: () => waiting,
  }

  function findOwner(given: string): Owner {
    const now_ms = performance.now()
    if (now_ms - sweptAt_ms > 1000) sweep(now_ms)
    const name = owners.size < limits.maxOwners || owners.has(given) ? given : 'others'
    let owner = owners.get(name)
    if (owner === undefined) {
      owner = {
        name,
        open: 0,
        active: 0,
        work_ms: 0,
        mean_ms: initialMean_ms,
        debt_ms: 0,
        begun_ms: 0,
        turn: 0,
        at_ms: now_ms,
        waiting: [],
      }
      owners.set(name, owner)
    }
    payDebt(owner, now_ms)
    return owner
  }

  /** Forgets owners that have been absent. */
  function sweep(now_ms: number): void {
    sweptAt_ms = now_ms
    for (const [name, { open, at_ms }] of owners)
      if (open === 0 && now_ms - at_ms > limits.present_ms) owners.delete(name)
  }

  function payDebt(owner: Owner, now_ms: number): void {
    owner.debt_ms = Math.max(0, owner.debt_ms - (now_ms - owner.at_ms) * limits.share)
    owner.at_ms = now_ms
  }

  function estimateOf({ mean_ms }: Owner): number {
    return Math.min(mean_ms, limits.owner_ms)
  }

  function canStart(owner: Owner): boolean {
    if (active >= limits.maxActive) return false
    if (owners.size === 1) return true
    const estimate_ms = estimateOf(owner)
    // Requests that end as soon as they begin, such as those that are refused, are never in progress together.
    if (owner.turn === turn && owner.begun_ms >= limits.owner_ms) return false
    const isLight = owner.active === 0 && owner.debt_ms <= limits.owner_ms
    if (isLight) return true
    const fitsOwner = owner.active === 0 || owner.work_ms + estimate_ms <= limits.owner_ms
    return active === 0 || (fitsOwner && work_ms + estimate_ms <= limits.all_ms)
  }

  function countBegun(owner: Owner, estimate_ms: number): void {
    if (owner.turn !== turn) {
      owner.turn = turn
      owner.begun_ms = 0
    }
    owner.begun_ms += estimate_ms
    if (isTurnCounted) return
    isTurnCounted = true
    setImmediate(() => {
      isTurnCounted = false
      turn += 1
    })
  }

  function learn(owner: Owner, cost_ms: number): void {
    const { mean_ms } = owner
    owner.mean_ms =
      cost_ms > mean_ms ? Math.min(cost_ms, maxMean_ms) : mean_ms + meanFall * (cost_ms - mean_ms)
  }

  function forget(entry: Entry): void {
    clearTimeout(entry.timer)
    const { owner } = entry
    const place = owner.waiting.indexOf(entry)
    if (place < 0) return
    owner.waiting.splice(place, 1)
    if (owner.waiting.length === 0) queue.delete(owner)
    waiting -= 1
  }

  /** In a new turn of the event loop, after the input of others was read. */
  function pumpSoon(): void {
    if (isPumping) return
    isPumping = true
    setImmediate(pump)
  }

  /** Starts waiting requests, but only as many as one turn should run. */
  function pump(): void {
    isPumping = false
    turn += 1
    const now_ms = performance.now()
    for (const owner of queue) payDebt(owner, now_ms)
    let started_ms = 0
    while (queue.size > 0) {
      const next = findNext()
      // Without a start, all wait for requests in progress.
      if (next === undefined && started_ms === 0) return
      if (next === undefined || started_ms >= limits.owner_ms) return pumpSoon()
      started_ms += estimateOf(next.owner)
      forget(next)
      next.start()
    }
  }

  function findNext(): Entry | undefined {
    let best: Owner | undefined
    for (const owner of queue)
      if ((best === undefined || owner.debt_ms < best.debt_ms) && canStart(owner)) best = owner
    return best?.waiting[0]
  }
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'The service is overloaded. Try again in a moment.', 1)
}
