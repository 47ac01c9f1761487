import {
  type Config,
  ConfigError,
  type Secrets,
  readConfig,
  refusedConnections,
} from '../../../engine/config/index.ts'
import { openDatabase } from '../../../engine/db/index.ts'
import { openConfiguredHsms, openMasterKeys } from '../../../engine/keyring/index.ts'
import { openLog } from '../../../engine/observability/index.ts'
import { readWallets } from '../../../holder/index.ts'
import { checkAddress } from './check-address.ts'
import { checkCertificate } from './check-certificate.ts'
import { checkDatabase } from './check-database.ts'
import { checkSettings } from './check-settings.ts'
import { checkEgress, checkMail, checkRedis } from './check-dependencies.ts'
import { checkLedger } from './check-ledger.ts'
import {
  type DoctorFinding,
  checkRegistrations,
  checkTrust,
  checkWorker,
  wrong,
} from '../../../operations/index.ts'

type OnProgress = (done: number, of: number) => void

/** Runs every check. If the settings are invalid, reports only those. */
export async function runChecks(
  environment?: NodeJS.ProcessEnv,
  onProgress?: OnProgress,
): Promise<DoctorFinding[]> {
  try {
    return await checkInstallation(readConfig(environment), environment, onProgress)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const cure = 'Correct this variable; .env.example describes each of them.'
    return error.mistakes.map((mistake) => wrong('settings', mistake, cure))
  }
}

async function checkInstallation(
  { config, secrets }: { config: Config; secrets: Secrets },
  environment: NodeJS.ProcessEnv | undefined,
  onProgress: OnProgress | undefined,
): Promise<DoctorFinding[]> {
  readWallets(config)
  const hsms = await openConfiguredHsms(config, openLog({ LOG_LEVEL: 'silent' }))
  const db = openDatabase({ url: secrets.DATABASE_URL, poolSize: 2, applicationName: 'vidimus doctor' })
  try {
    const master_keys = openMasterKeys({ config, secrets, hsms })
    const { findings, usable } = await checkDatabase(db, config, { ...secrets, master_keys })
    const checks = [
      checkAddress(config),
      checkRedis(secrets, config),
      checkEgress(config),
      checkMail(config, secrets),
      ...(usable
        ? [
            checkLedger(db, config, master_keys),
            checkTrust(db, config),
            checkRegistrations(db),
            checkWorker(db),
          ]
        : []),
    ]
    let done = 0
    onProgress?.(done, checks.length)
    const rest = await Promise.all(
      checks.map(async (check) => {
        const found = await check
        onProgress?.((done += 1), checks.length)
        return found
      }),
    )
    const refused = refusedConnections({ config, secrets }, environment)
    return [
      ...findings,
      ...checkSettings(config),
      ...refused.map((mistake) =>
        wrong('connections', `${mistake}.`, 'See “TLS to other machines” in docs/operate/configuration.md.'),
      ),
      ...checkCertificate(config, new Date()),
      ...rest.flat(),
    ]
  } finally {
    hsms?.close()
    await db.close()
  }
}
