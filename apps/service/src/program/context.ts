import type { Config, Secrets } from '../engine/config/index.ts'
import { observeDatabase, openDatabase, requireMigrated, requireSessions } from '../engine/db/index.ts'
import { openEgress } from '../engine/egress/index.ts'
import { openConfiguredHsms, openKeyring, openMasterKeys } from '../engine/keyring/index.ts'
import { noLedger, openLedger } from '../engine/ledger/index.ts'
import { openLimiter } from '../engine/limits/index.ts'
import { type Log, openLog, openMetrics } from '../engine/observability/index.ts'
import { type Mailer, openMailer } from '../engine/mail/index.ts'
import { type AccountsContext, openProvider } from '../accounts/index.ts'
import { openBuiltInTemplates } from '../templates/index.ts'
import { type Identity, type TrustService, openIdentity, openTrust } from '../trust/index.ts'
import { type VerificationContext, openVerifier } from '../verifications/index.ts'

/** Everything that is opened once for the whole service. */
export type ServiceContext = AccountsContext & VerificationContext

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
}: OpenContext): Promise<ServiceContext & AsyncDisposable> {
  const builtInTemplates = openBuiltInTemplates(config)
  const hsms = await openConfiguredHsms(config, log)
  const redis = await openConfiguredRedis(secrets)
  const metrics = openMetrics()
  const observer = observeDatabase({ log, metrics })
  const db = openDatabase({ url: secrets.DATABASE_URL, poolSize: config.DB_POOL_SIZE, observer })
  metrics.database.watch(() => db.usage())
  if (redis === undefined && config.RATE_LIMITS !== 'off')
    log.warn('REDIS_URL is not set: each process counts rate limits on its own')
  const egress = openEgress({ allow: config.WEBHOOK_EGRESS_ALLOW, dns_servers: config.DNS_SERVERS })
  const oidc = openProvider(
    {
      issuer: config.OIDC_ISSUER,
      client_id: config.OIDC_CLIENT_ID,
      client_secret: secrets.OIDC_CLIENT_SECRET,
      strength: { acr: config.OIDC_STEP_UP_ACR, amr: config.OIDC_STEP_UP_AMR },
    },
    config,
  )
  const operatorOidc = openProvider(
    {
      issuer: config.OPERATOR_OIDC_ISSUER,
      client_id: config.OPERATOR_OIDC_CLIENT_ID,
      client_secret: secrets.OPERATOR_OIDC_CLIENT_SECRET,
      strength: { acr: config.OPERATOR_OIDC_STEP_UP_ACR, amr: config.OPERATOR_OIDC_STEP_UP_AMR },
    },
    config,
  )
  let trust: TrustService | undefined
  let ledger = noLedger
  const signingHsm =
    config.SIGNING_KEY_URI &&
    hsms?.keep(config.SIGNING_KEY_URI, (usable) => metrics.signingTokenUsable.set(usable ? 1 : 0))
  const close = async () => {
    hsms?.close()
    trust?.close()
    await ledger.close()
    egress.close()
    oidc?.close()
    operatorOidc?.close()
    redis?.close()
    await db.close()
  }
  try {
    // First: behind a pooler in transaction mode, any named statement may fail.
    await requireSessions(db)
    await requireMigrated(db)
    const masterKeys = openMasterKeys({ config, secrets, hsms })
    const keyring = await openKeyring({ db, master_keys: masterKeys, cell: config.CELL, log })
    ledger = await openLedger({ config, keyring, log, metrics })
    const ledgerGuard = database === 'checked' ? ledger.guard(db) : undefined
    trust = openTrust({ config, db, keyring, egress, metrics })
    const verifier = openVerifier({ trust, db, keyring, config })
    let opened: Promise<Identity> | undefined
    const identity = () => (opened ??= openIdentity({ config, db, keyring, signingHsm, log }))
    await redis?.waitUntilConnected()
    const limiter = openLimiter({ config, shared: redis?.shared, log, metrics })
    return {
      billingSecret: secrets.BILLING_SECRET,
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
      operatorOidc,
      log,
      metrics,
      signingHsm,
      trust,
      builtInTemplates,
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
  const { openRedis, openSharedCounter, waitForRedis } = await import('../engine/redis/index.ts')
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
