import { AsyncLocalStorage } from 'node:async_hooks'

/** For what a request waited, for its line in the log. Waits that overlap each count whole. */
export type Waits = {
  /** Its owner's turn. */
  turn_ms: number
  /** A connection to the database. */
  pool_ms: number
  /** Statements, also those that it shares with others. */
  sql_ms: number
  /** A thread that checks a response, and what that lacked: status lists, trust lists, types. */
  check_ms: number
  lookup_ms: number
}

/** The work of one request. */
export type Work = {
  owner(): string
  /** Adds to what the request cost its owner, after it was used. `elsewhere`: where owners take turns by themselves, as in threads. */
  charge(ms: number, elsewhere?: boolean): void
  /** Moves the request to another owner: once authenticated, it is its tenant's. Returns a promise if it has to wait. */
  continueAs(owner: string): Promise<void> | undefined
  /** While a request waits for another host, for Redis, or for the rest of its own body, it uses nothing, and the owner's next one may start. */
  pause(): void
  /** Returns a promise if it has to wait for its turn again. */
  resume(): Promise<void> | undefined
  readonly waits: Waits
  /** Whose verification the request is about, where no key or session says so. For the log. */
  tenant_id: string | undefined
  /** The response is ready to be sent. What the request still costs, such as the bytes of a stream, is charged nevertheless. */
  end(): void
}

const works = new AsyncLocalStorage<Work | undefined>()

/** Runs code, and whatever it calls, as part of a request's work. */
export function runAs(work: Work, run: () => void): void {
  works.run(work, run)
}

export function noWaits(): Waits {
  return { turn_ms: 0, pool_ms: 0, sql_ms: 0, check_ms: 0, lookup_ms: 0 }
}

/** Notes whose verification the current request is about. */
export function isAbout({ tenant_id }: { tenant_id: string }): void {
  const work = currentWork()
  if (work !== undefined) work.tenant_id = tenant_id
}

/** The work that the current code belongs to. Undefined in background loops and commands. */
export function currentWork(): Work | undefined {
  return works.getStore()
}

/** Waits for something that costs nothing. The current request lets others have its turn meanwhile. */
export async function waitPaused<Result>(result: Promise<Result>): Promise<Result> {
  const work = currentWork()
  work?.pause()
  const value = await result
  await work?.resume()
  return value
}

/** Charges the current request for a step that occupies the event loop. */
export function chargeStep<Result>(step: () => Result): Result {
  const began_ms = performance.now()
  const result = step()
  currentWork()?.charge(performance.now() - began_ms)
  return result
}

/** Runs what several requests share: it belongs to none of them. */
export function runShared<Result>(run: () => Result): Result {
  return works.run(undefined, run)
}
