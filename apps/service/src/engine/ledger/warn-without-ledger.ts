import type { Config } from '../config/config.ts'
import type { Log } from '../observability/log.ts'

/** Without a ledger a restored database is served as it is. A developer need not hear of it. */
export function warnWithoutLedger({ config, log }: { config: Config; log: Log }): void {
  if (config.ERASURE_LEDGER === undefined && config.NODE_ENV === 'production')
    log.warn('ERASURE_LEDGER is not set: a restored database brings back what was erased and revoked since')
}
