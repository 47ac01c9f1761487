import { LedgerUnusableError } from './errors.ts'
import { storageTimeout_ms } from './limits.ts'
import type { LedgerStorage } from './storage.ts'

/**
 * The limit counts in turns of the event loop: while this process itself is blocked, it cannot see that the storage has responded, and
 * however long that takes, it counts as one turn.
 */
const turnsUntilLate = 20

/**
 * A storage whose operations fail if they take too long, and whose reads fail with LedgerUnusableError. A file system that hangs cannot be interrupted and holds a thread for
 * each operation, so while one hangs all others fail at once.
 */
export function limitTime(storage: LedgerStorage, timeout_ms = storageTimeout_ms): LedgerStorage {
  let hanging = 0

  async function limit<Result>(start: () => Promise<Result>): Promise<Result> {
    const message = `the storage of the erasure ledger did not respond within ${timeout_ms} ms`
    if (hanging > 0) throw new Error(message)
    const late = Promise.withResolvers<never>()
    let isLate = false
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
      if (turns < turnsUntilLate) return
      clearInterval(timer)
      isLate = true
      hanging += 1
      late.reject(new Error(message))
    }, timeout_ms / turnsUntilLate)
    const operation = start().finally(() => {
      clearInterval(timer)
      if (isLate) hanging -= 1
    })
    return Promise.race([operation, late.promise])
  }

  async function reading<Result>(start: () => Promise<Result>): Promise<Result> {
    try {
      return await limit(start)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new LedgerUnusableError(`The folder of ERASURE_LEDGER cannot be read: ${reason}.`, {
        cause: error,
      })
    }
  }

  return {
    list: () => reading(() => storage.list()),
    read: (name, from) => reading(() => storage.read(name, from)),
    remove: (name) => limit(() => storage.remove(name)),
    async create(name, first) {
      const appender = await limit(() => storage.create(name, first))
      return {
        append: (text, how) => limit(() => appender.append(text, how)),
        close: () => limit(() => appender.close()),
      }
    },
  }
}
