import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../engine/context.ts'
import { timedOut } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { hasActiveMove, hasOlderTransaction, hasOpenWork, holdTable, readRealTime } from './store.ts'
import { listTablesToHold } from './copy.ts'

/** How long we wait for the lock of a table that is in use before we give up and try again, so that nobody waits behind us. */
export const lock_ms = 500
export const maxLockAttempts = 60
const pause_ms = 50
/** Longer than any transaction of the service, and than the lease of a webhook. */
export const maxWait_ms = 120_000

/** Enables the triggers that hold the rows of moving tenants, one table at a time. They cost other tenants a lookup for each row. */
export async function enableHold({ db }: Pick<Context, 'db'>): Promise<void> {
  await setHold(db, true)
}

/** Disables them again unless another tenant is being moved. */
export async function disableHold({ db }: Pick<Context, 'db'>): Promise<void> {
  if (!(await hasActiveMove(db))) await setHold(db, false)
}

async function setHold(db: Context['db'], enabled: boolean): Promise<void> {
  for (const table of listTablesToHold()) await retryLock(() => setTableHold(db, table, enabled))
}

async function setTableHold(db: Context['db'], table: string, enabled: boolean): Promise<void> {
  await db.transaction((tx) => holdTable(tx, table, enabled), { statement_ms: 60_000, lock_ms })
}

async function retryLock(attempt: () => Promise<void>): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!timedOut(error) || count === maxLockAttempts) throw error
      await sleep(pause_ms * Math.min(count, 20))
    }
  }
}

/** Waits until no transaction is left that may not have seen what was committed before this call. */
export async function waitForOlderTransactions({ db }: Pick<Context, 'db'>): Promise<void> {
  const now = await readRealTime(db)
  await waitUntil(
    async () => !(await hasOlderTransaction(db, now)),
    'A transaction of another program stays open. Find it in pg_stat_activity, then run the command again.',
  )
}

/** Waits until no webhook of the tenant is being sent. None can start: the tenant is draining. */
export async function waitForWork({ db }: Pick<Context, 'db'>, tenant_id: string): Promise<void> {
  await waitUntil(
    async () => !(await hasOpenWork(db, tenant_id)),
    'Webhooks of the tenant are still being sent, or failed ones are being queued again. Is a worker running? Run the command again.',
  )
}

async function waitUntil(isReached: () => Promise<boolean>, failure: string): Promise<void> {
  const end_ms = performance.now() + maxWait_ms
  while (!(await isReached())) {
    if (performance.now() > end_ms) throw new Refusal('overloaded', failure)
    await sleep(pause_ms)
  }
}
