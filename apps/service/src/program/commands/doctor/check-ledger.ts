import { accessSync, constants } from 'node:fs'
import type { Config } from '../../../engine/config/index.ts'
import type { Database } from '../../../engine/db/index.ts'
import { type MasterKey, inspectKeyring, openKeyring } from '../../../engine/keyring/index.ts'
import { LedgerUnusableError, openLedger } from '../../../engine/ledger/index.ts'
import { openLog, openMetrics } from '../../../engine/observability/index.ts'
import { ok, warning, wrong, type DoctorFinding } from '../../../operations/index.ts'

const check = 'erasure ledger'

/** The folder that keeps a restored database from bringing back what was erased. */
export async function checkLedger(
  db: Database,
  config: Config,
  master_keys: readonly MasterKey[],
): Promise<DoctorFinding[]> {
  const { ERASURE_LEDGER: folder, NODE_ENV } = config
  if (folder === undefined)
    return NODE_ENV === 'production'
      ? [
          warning(
            check,
            'ERASURE_LEDGER is not set: a restored database brings back what was erased and revoked since.',
            'Set it to a folder outside the database that all processes share.',
          ),
        ]
      : []
  // Reported by the check of the master key.
  if ((await inspectKeyring(db, master_keys)).state !== 'opens') return []
  try {
    accessSync(folder, constants.W_OK)
    const keyring = await openKeyring({ db, master_keys })
    const log = openLog({ LOG_LEVEL: 'silent' })
    const ledger = await openLedger({ config, keyring, log, metrics: openMetrics() })
    const { lost, in_doubt } = await ledger.readPending(db)
    if (lost.length > 0)
      return [
        wrong(
          check,
          `The database lacks ${lost.length} erasures or revocations of the ledger: it was restored, or a standby without them took over.`,
          'Run `vidimus admin restore apply`. Until then the service refuses every request.',
        ),
      ]
    return [ok(check, `the database has every entry in ${folder}; ${in_doubt.length} are being committed`)]
  } catch (error) {
    const reason = error instanceof LedgerUnusableError ? error.message : undefined
    return [
      wrong(
        check,
        reason ?? `ERASURE_LEDGER ${folder} is not writable: every erasure and revocation is refused.`,
        'Create or mount the folder, and make it writable for the user that runs the service.',
      ),
    ]
  }
}
