import type { Config, Secrets } from './engine/config/config.ts'
import { requireSessions } from './engine/db/connection/require-sessions.ts'
import { requireMigrated } from './engine/db/schema/migrate.ts'
import { openDatabase, type Database } from './engine/db/open.ts'
import { openEgress, type Egress } from './engine/egress/open.ts'
import { openMasterKeys } from './engine/keyring/open-master-keys.ts'
import { openKeyring, type Keyring } from './engine/keyring/open.ts'
import type { MasterKey } from './engine/keyring/master-key.ts'
import { guardDatabase, type LedgerGuard } from './engine/ledger/guard.ts'
import type { Ledger } from './engine/ledger/ledger.ts'
import { noLedger } from './engine/ledger/no-ledger.ts'
import { openLedger } from './engine/ledger/open.ts'
import { openLimiter, type Limiter } from './engine/limits/limiter.ts'
import { openLog, type Log } from './engine/observability/log.ts'
import { openMailer, type Mailer } from './engine/mail/open-mailer.ts'
import { openMetrics, type Metrics } from './engine/observability/metrics.ts'
import type { Token } from './engine/hsm/open-token.ts'
import { openTokens, type Tokens } from './engine/hsm/open-tokens.ts'
import { openProvider, type Provider } from './accounts/members/oidc/open-provider.ts'
import { openIdentity, type Identity } from './trust/identity/open-identity.ts'
import { openTrust, type TrustService } from './trust/open.ts'
import { openVerifier, type Verifier } from './verifications/wallet/open-verifier.ts'

/** Everything a use case can use. */
export type Context = {
  config: Config
  db: Database
  egress: Egress
  keyring: Keyring
  /** What wraps the key ring. Only needed to change it. */
  masterKeys: readonly MasterKey[]
  /** What was erased and revoked, outside the database. Without ERASURE_LEDGER it does nothing. */
  ledger: Ledger
  /** Keeps a database that lost entries of the ledger from being used. Absent if there is no ledger, or for commands that must use it. */
  ledgerGuard: LedgerGuard | undefined
  trust: TrustService
  /** Worker threads that check wallet responses. */
  verifier: Verifier
  /** The PKCS#11 token with the key of the access certificate, if SIGNING_KEY_URI names one. */
  signingToken: Token | undefined
  /** The service's own access certificate, for tenants without one. Opened on first use: most commands do not need it. */
  identity(): Promise<Identity>
  /** The OpenID Connect provider for the dashboard, if one is configured. */
  oidc: Provider | undefined
  limiter: Limiter
  /** Sends mail, if a mail server is configured. */
  mailer: Mailer | undefined
  log: Log
  metrics: Metrics
}

export type OpenContext = {
  config: Config
  secrets: Secrets
  log?: Log
  /** `unchecked`: the database is used although it lacks erasures, by commands that must. */
  database?: 'checked' | 'unchecked'
}

/** Opens everything the service depends on; `await using` closes it. */
export async function openContext({
  config,
  secrets,
  log = openLog(config),
  database = 'checked',
}: OpenContext): Promise<Context & AsyncDisposable> {
  const redis = await openConfiguredRedis(secrets)
  const metrics = openMetrics()
  const db = openDatabase({ url: secrets.DATABASE_URL, poolSize: config.DB_POOL_SIZE })
  if (redis === undefined && config.RATE_LIMITS !== 'off')
    log.warn('REDIS_URL is not set: each process counts rate limits on its own')
  const egress = openEgress({ allow: config.WEBHOOK_EGRESS_ALLOW, dns_servers: config.DNS_SERVERS })
  const oidc = openProvider(config, secrets)
  let trust: TrustService | undefined
  let ledger = noLedger
  let ledgerGuard: LedgerGuard | undefined
  const tokens = openTokens(log)
  const signingToken = keepSigningToken(config, { tokens, metrics })
  const close = async () => {
    tokens.close()
    trust?.close()
    await ledger.close()
    egress.close()
    oidc?.close()
    redis?.close()
    await db.close()
  }
  try {
    // First: behind a pooler in transaction mode, any named statement may fail.
    await requireSessions(db)
    await requireMigrated(db)
    const masterKeys = openMasterKeys({ config, secrets, tokens })
    const keyring = await openKeyring({ db, master_keys: masterKeys, cell: config.CELL, log })
    if (config.ERASURE_LEDGER !== undefined) {
      ledger = openLedger({ folder: config.ERASURE_LEDGER, keyring, log, metrics })
      if (database === 'checked') ledgerGuard = guardDatabase({ db, ledger, log, metrics })
    }
    trust = openTrust({ config, db, keyring, egress, metrics })
    const verifier = openVerifier({ trust, db, keyring, config })
    let opened: Promise<Identity> | undefined
    const identity = () => (opened ??= openIdentity({ config, db, keyring, signingToken, log }))
    await redis?.waitUntilConnected()
    const limiter = openLimiter({ config, shared: redis?.shared, log, metrics })
    return {
      config,
      db,
      keyring,
      masterKeys,
      ledger,
      ledgerGuard,
      egress,
      identity,
      limiter,
      mailer: openConfiguredMailer(config, secrets),
      oidc,
      log,
      metrics,
      signingToken,
      trust,
      verifier,
      async [Symbol.asyncDispose]() {
        await verifier.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The counters that all processes share. The client is loaded only if there is a Redis: loading it takes as long as loading the driver of the database. */
async function openConfiguredRedis({ REDIS_URL }: Secrets) {
  if (REDIS_URL === undefined) return undefined
  const { openRedis, waitForRedis } = await import('./engine/limits/redis/open.ts')
  const { openSharedCounter } = await import('./engine/limits/redis/shared-counter.ts')
  const redis = openRedis(REDIS_URL)
  return {
    shared: (limits: Parameters<typeof openSharedCounter>[1]) => openSharedCounter(redis, limits),
    waitUntilConnected: () => waitForRedis(redis),
    close: () => redis.disconnect(),
  }
}

function openConfiguredMailer(
  { BASE_URL, MAIL_FROM: from }: Pick<Config, 'BASE_URL' | 'MAIL_FROM'>,
  { SMTP_URL: server }: Pick<Secrets, 'SMTP_URL'>,
): Mailer | undefined {
  if (server === undefined || from === undefined) return undefined
  return openMailer({ server, from, client_name: new URL(BASE_URL).hostname })
}

function keepSigningToken(
  { SIGNING_KEY_URI: key }: Pick<Config, 'SIGNING_KEY_URI'>,
  { tokens, metrics }: { tokens: Tokens; metrics: Metrics },
): Token | undefined {
  if (key === undefined) return undefined
  return tokens.keep(key, (usable) => metrics.signingTokenUsable.set(usable ? 1 : 0))
}
