import { setImmediate as endOfTurn } from 'node:timers/promises'
import { type BoundedMap, boundedMap } from '@vidimus/protocol'
import { Refusal } from '../../basics/refusal.ts'
import { coalesce } from '../coalesce.ts'
import type { Database } from '../open.ts'
import { type ChangeVersion, type AsOf, queryAsOf } from './query-as-of.ts'

/** The maximum number of copies of one kind. */
export const maxCopies = 20_000

type ValidatedCacheOptions<Key, Value> = {
  /** Reads the values of all keys in one statement with its moment. Undefined: not found, which is never cached. */
  read: (db: Database, keys: Key[]) => Promise<{ asOf: AsOf; values: (Value | undefined)[] }>
  nameOf: (key: Key) => string
  maxEntries?: number
  maxBatch: number
  maxWaiting: number
}

/** A value and what was seen when it was read or found valid. */
type ValueAsOf<Value> = { asOf: AsOf; value: Value | undefined }

type ValidatedCache<Key, Value> = {
  /** The current value, for a request that has not read a version yet. */
  current(db: Database, key: Key): Promise<ValueAsOf<Value>>
  /** The value for a request that has seen this version: that of the version or a later one. Without a version it is always read. */
  at(db: Database, version: ChangeVersion | undefined, key: Key): Promise<Value | undefined>
}

type Copy<Value> = { change_version: ChangeVersion; value: Value }

/**
 * Copies of rows that rarely change, as fresh as reading them: a copy is used only by a request that has seen the very version
 * that the copy was read under, in the same statement. Each database has its own copies. Callers share them and must not modify them.
 */
export function validatedCache<Key, Value extends {}>(
  options: ValidatedCacheOptions<Key, Value>,
): ValidatedCache<Key, Value> {
  const caches = new WeakMap<Database, ReturnType<typeof openCache<Key, Value>>>()
  const cacheOf = (db: Database) => {
    let cache = caches.get(db)
    if (cache === undefined) {
      cache = openCache(db, options)
      caches.set(db, cache)
    }
    return cache
  }

  return {
    async current(db, key) {
      const { copies, read } = cacheOf(db)
      const name = options.nameOf(key)
      if (copies.get(name) === undefined) return read(key)
      const asOf = await readAsOf(db)
      const copy = copies.get(name)
      return copy?.change_version === asOf.change_version ? { asOf, value: copy.value } : read(key)
    },
    async at(db, version, key) {
      const { copies, read } = cacheOf(db)
      const copy = version === undefined ? undefined : copies.get(options.nameOf(key))
      return copy !== undefined && copy.change_version === version ? copy.value : (await read(key)).value
    },
  }
}

function openCache<Key, Value extends {}>(
  db: Database,
  { read, nameOf, maxEntries = maxCopies, maxBatch, maxWaiting }: ValidatedCacheOptions<Key, Value>,
): { copies: BoundedMap<string, Copy<Value>>; read: (key: Key) => Promise<ValueAsOf<Value>> } {
  const copies = boundedMap<string, Copy<Value>>(maxEntries)
  return {
    copies,
    read: coalesce<Key, ValueAsOf<Value>>({
      maxBatch,
      maxWaiting,
      async run(keys) {
        const { asOf, values } = await read(db, keys)
        return keys.map((key, index) => {
          const value = values[index]
          if (value === undefined) copies.delete(nameOf(key))
          else copies.set(nameOf(key), { change_version: asOf.change_version, value })
          return { asOf, value }
        })
      },
    }),
  }
}

/** The maximum number of requests that wait for a moment. */
export const maxWaitingForAsOf = 10_000

const readers = new WeakMap<Database, () => Promise<AsOf>>()

/**
 * The current moment. Requests that arrive together share one statement, which is sent after the last of them arrived: each
 * sees every change that was acknowledged before its call.
 */
function readAsOf(db: Database): Promise<AsOf> {
  let read = readers.get(db)
  if (read === undefined) {
    read = shareReads(() => queryAsOf(db))
    readers.set(db, read)
  }
  return read()
}

/** As `coalesce`, for calls that all have the same result: they share its promise, and a call costs next to nothing. */
export function shareReads<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  let waiting = 0

  return () => {
    if (waiting >= maxWaitingForAsOf)
      return Promise.reject(
        new Refusal('overloaded', 'Too many requests are waiting. Try again in a moment.', 1),
      )
    waiting += 1
    next ??= runNext()
    return next
  }

  async function runNext(): Promise<Result> {
    // A failure is reported to those who wait for it.
    if (running === undefined) await endOfTurn()
    else await running.catch(() => {})
    next = undefined
    waiting = 0
    const mine = query()
    running = mine
    try {
      return await mine
    } finally {
      if (running === mine) running = undefined
    }
  }
}
