import type { Config } from './config/config.ts'
import type { Database } from './db/open.ts'
import type { Egress } from './egress/open.ts'
import type { Hsm } from './keyring/hsm/open-hsm.ts'
import type { MasterKey } from './keyring/master-key.ts'
import type { Keyring } from './keyring/open.ts'
import type { Ledger, LedgerGuard } from './ledger/ledger.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Mailer } from './mail/open-mailer.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'

/** What is opened once and passed to every use case. A module that opens more adds it with a type of its own. */
export type Context = {
  config: Config
  db: Database
  egress: Egress
  keyring: Keyring
  /** The keys that wrap the key ring. Needed only to change it. */
  masterKeys: readonly MasterKey[]
  /** Records outside the database what was erased and revoked. Without ERASURE_LEDGER it does nothing. */
  ledger: Ledger
  /** Refuses a database that lacks entries of the ledger. Absent without a ledger, and for commands that repair such a database. */
  ledgerGuard: LedgerGuard | undefined
  /** The HSM with the key of the access certificate, if SIGNING_KEY_URI names one. */
  signingHsm: Hsm | undefined
  limiter: Limiter
  /** Sends mail, if a mail server is configured. */
  mailer: Mailer | undefined
  /** Signs the usage for BILLING_URL. */
  billingSecret: string | undefined
  log: Log
  metrics: Metrics
}
