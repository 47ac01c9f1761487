import type { Config } from '../config/config.ts'
import type { Keyring } from '../keyring/open.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type Ledger, noLedger } from './ledger.ts'

type OpenLedger = {
  config: Pick<Config, 'ERASURE_LEDGER'>
  keyring: Pick<Keyring, 'mac'>
  log: Log
  metrics: Metrics
}

/** Opens the erasure ledger. What reads and writes its files is loaded only if ERASURE_LEDGER is set. */
export async function openLedger({ config, keyring, log, metrics }: OpenLedger): Promise<Ledger> {
  const folder = config.ERASURE_LEDGER
  if (folder === undefined) return noLedger
  const { openLedgerFolder } = await import('./files/open-folder.ts')
  return openLedgerFolder({ folder, keyring, log, metrics })
}

/** Without a ledger a restored database is served as it is. A developer need not hear of it. */
export function warnWithoutLedger({ config, log }: { config: Config; log: Log }): void {
  if (config.ERASURE_LEDGER === undefined && config.NODE_ENV === 'production')
    log.warn('ERASURE_LEDGER is not set: a restored database brings back what was erased and revoked since')
}
