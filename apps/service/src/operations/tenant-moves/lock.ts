import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { tryLockMove, unlockMove } from './store.ts'

export const maxAttempts = 20
const pause_ms = 100

/** Runs `work` while no other process moves the tenant. */
export async function withMoveLock<Result>(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const connection = await db.connection()
  try {
    // The server may not have noticed yet that the connection of a killed process is gone.
    for (let attempt = 1; !(await tryLockMove(connection, tenant_id)); attempt += 1) {
      if (attempt === maxAttempts) throw new Refusal('overloaded', 'Another process is moving this tenant.')
      await sleep(pause_ms)
    }
    try {
      return await work()
    } finally {
      if (!connection.lost.aborted) await unlockMove(connection, tenant_id)
    }
  } finally {
    connection.close()
  }
}
