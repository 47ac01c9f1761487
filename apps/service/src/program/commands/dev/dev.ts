import { setTimeout as sleep } from 'node:timers/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { scopes } from '@vidimus/contract'
import {
  addOperator,
  createKey,
  createTenant,
  findOperatorId,
  inviteMember,
  inviteOperator,
  keyAuthenticator,
} from '../../../accounts/index.ts'
import { readTenantSecrets } from '../../../deliveries/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import {
  type Config,
  ConfigError,
  type Secrets,
  givenVariables,
  readConfig,
} from '../../../engine/config/index.ts'
import { migrate } from '../../../engine/db/index.ts'
import { UnsealError } from '../../../engine/keyring/index.ts'
import { openLog } from '../../../engine/observability/index.ts'
import { frontEndFolder } from '../../app.ts'
import type { ServiceContext } from '../../context.ts'
import { type RunningService, serve } from '../../serve.ts'
import { runWorker } from '../../worker.ts'
import { CommandError, command, printMessage } from '../command.ts'
import { untilShutdown } from '../run/until-shutdown.ts'
import { watchNpm } from '../run/watch-npm.ts'
import { buildFrontEnds } from './build-front-ends.ts'
import { chooseDatabase, freePort, isListening } from './choose-database.ts'
import {
  type DevSettings,
  defaultFolder,
  masterKeyFor,
  readDevSettings,
  saveDevSettings,
  settingsFile,
} from './dev-settings.ts'
import { prettyLog } from './pretty-log.ts'

export const devCommand = command({
  options: {
    folder: { type: 'string', description: 'folder for the generated keys (default: .vidimus)' },
  },
  async run({ values: { folder = defaultFolder } }) {
    const given = givenVariables()
    if (given['NODE_ENV'] === 'production')
      throw new CommandError(
        '`vidimus dev` is for development and refuses NODE_ENV=production. Use `serve` and `work`.',
      )
    const saved = readDevSettings(folder, given['DATABASE_URL'])
    const database_url = await chooseDatabase(given['DATABASE_URL'] ?? saved.DATABASE_URL, folder)
    const settings = await completeSettings(database_url, saved)
    const complete = {
      ...saved,
      DATABASE_URL: database_url,
      ...(settings.secrets.MASTER_KEY && { MASTER_KEY: settings.secrets.MASTER_KEY.toString('base64') }),
      VIDIMUS_URL: settings.config.BASE_URL,
    }
    // Saved before anything is sealed with the key, so that an interrupted first start can be repeated.
    saveDevSettings(folder, complete)
    const applied = await migrate({ url: database_url })
    if (applied.length > 0) printMessage(`Applied ${applied.length} migrations.`)
    await buildFrontEnds()

    const serving = await startService(settings, folder)
    const seeded = await seedTenant(serving.ctx, saved)
    saveDevSettings(folder, { ...complete, ...seeded })
    const dashboard = await createSignInLink(serving.ctx, seeded.VIDIMUS_TENANT)
    const console = await createConsoleLink(serving.ctx)
    await waitUntilReady(serving.address)
    process.stdout.write(welcomeText(settings.config.BASE_URL, { seeded, folder, dashboard, console }))
    return runUntilShutdown(serving)
  },
})

/** Of the console. If it is taken, a second `vidimus dev` has none. */
const preferredConsolePort = 9480

type Settings = { config: Config; secrets: Secrets }

/** The environment, with defaults for what development does not need to set. */
async function completeSettings(database_url: string, saved: Partial<DevSettings>): Promise<Settings> {
  const given = givenVariables()
  const host = given['HOST'] ?? '127.0.0.1'
  const wantedPort = Number(given['PORT'] ?? 8080)
  const port = await freePort(host, wantedPort)
  if (port === undefined)
    throw new CommandError(
      `Port ${wantedPort} is taken. Choose another one: PORT=${wantedPort + 1} npm run -s vidimus -- dev`,
    )
  const consolePort = await freePort('127.0.0.1', preferredConsolePort)
  const redis = !('REDIS_URL' in given) && (await isListening('127.0.0.1', 6379))
  return readConfig({
    ...(!('MASTER_KEY_URI' in given) && { MASTER_KEY: masterKeyFor(saved) }),
    HOST: host,
    BASE_URL: `http://localhost:${port}`,
    METRICS_PORT: 'off',
    OPERATOR_PORT: String(consolePort ?? 'off'),
    ...(redis && { REDIS_URL: 'redis://127.0.0.1:6379' }),
    ...given,
    DATABASE_URL: database_url,
    PORT: String(port),
  })
}

async function startService({ config, secrets }: Settings, folder: string): Promise<RunningService> {
  const log = openLog(config, prettyLog(process.stderr))
  try {
    return await serve({ config, secrets, log })
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    throw new ConfigError([
      `MASTER_KEY does not match this database. The right key was in ${settingsFile(folder)}. Without it, drop the database and start again: dropdb ${new URL(secrets.DATABASE_URL).pathname.slice(1)}`,
    ])
  }
}

const maxChecks = 50

/** A process that has just started sheds load until its event loop has caught up. */
async function waitUntilReady(address: string): Promise<void> {
  for (let checks = 0; checks < maxChecks; checks += 1) {
    // oxlint-disable-next-line no-restricted-globals -- a command calls its own service
    const { status } = await fetch(`${address}/v1/verifications/none/status`)
    if (status !== 503) return
    await sleep(100)
  }
}

/** Runs the worker beside the service, and stops both together. */
async function runUntilShutdown(serving: RunningService): Promise<number> {
  const stop = new AbortController()
  watchNpm(() => process.kill(process.pid, 'SIGTERM'))
  const reason = untilShutdown(serving.ctx.log).finally(() => stop.abort())
  await runWorker(serving.ctx, stop.signal)
  await serving.stop({ accept_ms: 0, serve_ms: 500 })
  return (await reason) === 'failed' ? 1 : 0
}

type WelcomeDetails = {
  seeded: SeededTenant
  folder: string
  /** A sign-in link for the dashboard, or how to get one. */
  dashboard: string
  console: string
}

function welcomeText(url: string, { seeded, folder, dashboard, console }: WelcomeDetails): string {
  const { VIDIMUS_TENANT, VIDIMUS_KEY, VIDIMUS_WEBHOOK_SECRET } = seeded
  return `
Vidimus is listening on ${url}

  test key         ${VIDIMUS_KEY}
  tenant           ${VIDIMUS_TENANT}
  webhook secret   ${VIDIMUS_WEBHOOK_SECRET}
  saved in         ${settingsFile(folder)}

  API reference    ${url}/docs
  guides           ${url}/docs/guides
  holder's page    ${url}/verify/{id of a verification}
  sandbox wallet   ${url}/sandbox/wallet
  dashboard        ${dashboard}
  console          ${console}

Create a verification:

  curl ${url}/v1/verifications \\
    -H 'Authorization: Bearer ${VIDIMUS_KEY}' -H 'Content-Type: application/json' \\
    -d '{"template": "age_over_18", "purpose": "Age check at the till"}'

Ready. Press Ctrl-C to stop.

`
}

/** The dashboard user in development. Each link adds a sign-in method for the same member. */
const email = 'dev@example.com'

/** A sign-in link for the dashboard that works once, or how to build the dashboard. */
export async function createSignInLink(
  ctx: ServiceContext,
  tenant_id: string,
  folder = frontEndFolder('dashboard'),
): Promise<string> {
  if (!existsSync(join(folder, 'index.html'))) return 'not built; run `npm run build` and start again'
  const { link } = await inviteMember(ctx, { by: { kind: 'operator', tenant_id }, email, role: 'owner' })
  return `${link} (works once)`
}

/** The same for the operators' console, where the operator in development is an owner. */
export async function createConsoleLink(
  ctx: ServiceContext,
  folder = frontEndFolder('dashboard/console'),
): Promise<string> {
  if (ctx.config.OPERATOR_PORT === 'off') return 'off; set OPERATOR_PORT to a free port'
  if (!existsSync(join(folder, 'index.html'))) return 'not built; run `npm run build` and start again'
  const by = { name: 'vidimus dev' }
  const id = await findOperatorId(ctx, email).catch(() => undefined)
  const { link } =
    id === undefined
      ? await addOperator(ctx, { by, name: 'Developer', email, role: 'owner' })
      : await inviteOperator(ctx, { by, id })
  return `${link} (works once)`
}

export type SeededTenant = Pick<DevSettings, 'VIDIMUS_TENANT' | 'VIDIMUS_KEY' | 'VIDIMUS_WEBHOOK_SECRET'>

const tenantName = 'Corner shop'

/** A tenant and a test key with every scope for development. Reuses the saved ones if they still exist. */
export async function seedTenant(ctx: ServiceContext, saved: Partial<DevSettings>): Promise<SeededTenant> {
  const { VIDIMUS_TENANT, VIDIMUS_KEY } = saved
  if (VIDIMUS_TENANT && VIDIMUS_KEY && (await isValidKey(ctx, VIDIMUS_KEY))) {
    // It may have been rotated since it was saved.
    const [secret = ''] = await readTenantSecrets(ctx, { tenant_id: VIDIMUS_TENANT, environment: 'test' })
    return { VIDIMUS_TENANT, VIDIMUS_KEY, VIDIMUS_WEBHOOK_SECRET: secret }
  }
  const { tenant_id, webhook_secret } = await createTenant(ctx, { name: tenantName })
  const by = { kind: 'operator', tenant_id } as const
  const { key } = await createKey(ctx, { by, environment: 'test', scopes, name: 'vidimus dev' })
  return { VIDIMUS_TENANT: tenant_id, VIDIMUS_KEY: key, VIDIMUS_WEBHOOK_SECRET: webhook_secret }
}

async function isValidKey(ctx: ServiceContext, key: string): Promise<boolean> {
  try {
    await keyAuthenticator(ctx)(key)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
