import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Db } from '../../db/open.ts'
import type { Log } from '../../observability/log.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { runEvery } from '../../scheduling/loops.ts'
import { explainLedger, ledgerReason, RestorePendingError } from '../errors.ts'
import type { Ledger, LedgerGuard } from '../ledger.ts'

const watchInterval_ms = 1000

type Guarded = {
  db: Database
  ledger: Pick<Ledger, 'readPending'>
  log: Log
  metrics: Pick<Metrics, 'restorePending' | 'ledgerInDoubt'>
}

/**
 * Compares every new connection with the ledger before it is used, so that no statement is sent to a database that lost
 * erasures: at the start, after a failover, and whenever a connection is replaced.
 */
export function guardDatabase({ db, ledger, log, metrics }: Guarded): LedgerGuard {
  let logged = ''

  async function check(connection: Db): Promise<void> {
    try {
      const { lost, in_doubt, more } = await ledger.readPending(connection)
      metrics.restorePending.set(lost.length)
      metrics.ledgerInDoubt.set(in_doubt.length)
      if (lost.length > 0) throw new RestorePendingError(lost.length, more)
      if (logged !== '') log.info('the database and the erasure ledger agree again')
      logged = ''
    } catch (error) {
      const reason = ledgerReason(error)
      if (reason instanceof RestorePendingError) db.suspend(reason)
      if (reason !== undefined && logged !== reason.name) log.error(explainLedger(reason))
      logged = reason?.name ?? logged
      throw error
    }
  }

  db.checkConnections(check)
  return {
    untilComplete: (onWait) => untilComplete({ db, ledger }, onWait),
    watch: () =>
      runEvery(
        watchInterval_ms,
        () => check(db),
        () => {
          // Logged above, or the database does not respond, which every request reports.
        },
      ),
  }
}

/** Returns once the database has every entry of the ledger. */
async function untilComplete(
  { db, ledger }: Pick<Guarded, 'db' | 'ledger'>,
  onWait: (reason: RestorePendingError) => Promise<void>,
): Promise<void> {
  let isWaiting = false
  for (;;) {
    try {
      await ledger.readPending(db)
      return
    } catch (error) {
      const reason = ledgerReason(error)
      if (!(reason instanceof RestorePendingError)) throw reason ?? error
      if (!isWaiting) await onWait(reason)
      isWaiting = true
      await sleep(watchInterval_ms)
    }
  }
}
