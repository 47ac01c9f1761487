import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { textRetention_days } from '@vidimus/evidence'
import { z } from 'zod'
import {
  baseUrl,
  cells,
  cidrs,
  collectorUrl,
  databaseUrl,
  defaultRateLimits,
  mailFrom,
  masterKey,
  namedValues,
  nameServers,
  pkcs11Uri,
  rateLimits,
  ratio,
  receiverUrl,
  redisUrl,
  seconds,
  smtpUrl,
  wholeNumber,
  words,
} from './config-values.ts'
import { checkConnections, checkMasterKeys, checkProduction } from './check-production.ts'
import { describeUrl } from '../db/connection/describe-url.ts'
import { explainUnreadable } from '../basics/refusal.ts'
import { defaultMaxSpans } from '../observability/spans.ts'

export type Config = z.infer<typeof settings> & { SANDBOX: 'on' | 'off'; OPERATOR_URL: string }
/** Values that must never be logged. Kept apart from the configuration, so that printing one cannot print the other. */
export type Secrets = z.infer<typeof secrets>

/** Lists every mistake, each with its variable, so that the operator can correct them all at once. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(
      mistakes.length === 1
        ? `The configuration has a mistake: ${mistakes[0]}`
        : `The configuration has ${mistakes.length} mistakes:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
    )
    this.mistakes = mistakes
  }
}

/** As OpenTelemetry names them. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const settings = z.object({
  NODE_ENV: z.string().default('development'),
  BASE_URL: baseUrl.default('http://localhost:8080'),
  HSTS_INCLUDE_SUBDOMAINS: z.enum(['on', 'off'], 'must be on or off').default('off'),
  HOST: z.string().default('0.0.0.0'),
  PORT: wholeNumber(0, 65_535).default(8080),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.union([z.literal('off'), wholeNumber(0, 65_535)], 'must be a port, or off').default(9464),
  OPERATOR_HOST: z.string().default('127.0.0.1'),
  OPERATOR_PORT: z.union([z.literal('off'), wholeNumber(0, 65_535)], 'must be a port, or off').default('off'),
  OPERATOR_URL: baseUrl.optional(),
  SIGNING_KEY_FILE: z.string().optional(),
  SIGNING_KEY_URI: pkcs11Uri('private').optional(),
  SIGNING_CERT_FILE: z.string().optional(),
  MASTER_KEY_URI: pkcs11Uri('secret-key').optional(),
  MASTER_KEY_PREVIOUS_URI: pkcs11Uri('secret-key').optional(),
  WEBHOOK_EGRESS_ALLOW: cidrs.default([]),
  WEBHOOK_BACKOFF_SECONDS: seconds.default([5, 300, 1800, 7200, 18_000]),
  RATE_LIMITS: rateLimits.default(defaultRateLimits),
  TRUSTED_PROXIES: cidrs.default([]),
  DB_POOL_SIZE: wholeNumber(2, 200).default(10),
  CELL: z
    .string()
    .regex(/^[0-9A-Za-z]$/, 'must be one letter or digit')
    .default('0'),
  CELLS: cells.optional(),
  SANDBOX: z.enum(['on', 'off'], 'must be on or off').optional(),
  // A session is looked up by its day; more days would make that slower.
  VERIFICATION_RETENTION_DAYS: wholeNumber(30, 400).default(400),
  DELIVERY_RETENTION_DAYS: wholeNumber(30, 400).default(400),
  // Whoever checks an export takes texts that are missing earlier for tampering.
  AUDIT_TEXT_RETENTION_DAYS: wholeNumber(textRetention_days, 3650).default(textRetention_days),
  TRUST_LISTS_FILE: z.string().optional(),
  PID_TYPES_FILE: z.string().optional(),
  WALLETS_FILE: z.string().optional(),
  AUDIT_CHECKPOINT_DIR: z.string().optional(),
  ERASURE_LEDGER: z.string().optional(),
  DNS_SERVERS: nameServers.default([]),
  REQUEST_LOG: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SUPPORT_ACCESS: z.enum(['consent', 'reason'], 'must be consent or reason').default('consent'),
  SIGN_UP: z.enum(['off', 'waitlist', 'open'], 'must be off, waitlist or open').default('off'),
  OIDC_ISSUER: z.url('must be a URL').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_STEP_UP_ACR: words.default([]),
  OIDC_STEP_UP_AMR: words.default([]),
  OPERATOR_OIDC_ISSUER: z.url('must be a URL').optional(),
  OPERATOR_OIDC_CLIENT_ID: z.string().optional(),
  OPERATOR_OIDC_STEP_UP_ACR: words.default([]),
  OPERATOR_OIDC_STEP_UP_AMR: words.default([]),
  MAIL_FROM: mailFrom.optional(),
  BILLING_URL: receiverUrl.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl.optional(),
  OTEL_EXPORTER_OTLP_INSECURE: z.enum(['true', 'false'], 'must be true or false').default('false'),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(100, 60_000).default(10_000),
  OTEL_SERVICE_NAME: z.string().default('vidimus'),
  OTEL_RESOURCE_ATTRIBUTES: namedValues.default({}),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, `must be one of ${samplers.join(', ')}`)
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1, 100_000).default(defaultMaxSpans),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(10, 60_000).default(5000),
  TRACE_CALLERS: z.enum(['link', 'parent'], 'must be link or parent').default('link'),
  WEBHOOK_TRACEPARENT: z.enum(['on', 'off'], 'must be on or off').default('off'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

const secrets = z.object({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl.optional(),
  MASTER_KEY: masterKey.optional(),
  MASTER_KEY_PREVIOUS: masterKey.optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OPERATOR_OIDC_CLIENT_SECRET: z.string().optional(),
  SMTP_URL: smtpUrl.optional(),
  BILLING_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: namedValues.optional(),
})

const allVariables = z.object({ ...settings.shape, ...secrets.shape })
/** These variables already name files. Every other one can be given as NAME_FILE, the path of a file with the value. */
const fileVariables = new Set([
  'SIGNING_KEY_FILE',
  'SIGNING_CERT_FILE',
  'TRUST_LISTS_FILE',
  'PID_TYPES_FILE',
  'WALLETS_FILE',
])

/** Reads the whole configuration. Nothing else in the service reads the environment. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): {
  config: Config
  secrets: Secrets
} {
  const mistakes: string[] = []
  const given = Object.fromEntries(
    Object.keys(allVariables.shape).map((name) => [name, readVariable(environment, name, mistakes)]),
  )
  const parsed = allVariables.safeParse(given)
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0])
    // Its file cannot be read, which is already in the list.
    if (given[name] === undefined && environment[`${name}_FILE`]) continue
    mistakes.push(
      `${name} ${given[name] === undefined && !/required/.test(issue.message) ? 'is required' : issue.message}`,
    )
  }
  mistakes.push(...checkMasterKeys(given, environment))
  if (
    ((given['SIGNING_KEY_FILE'] ?? given['SIGNING_KEY_URI']) === undefined) !==
    (given['SIGNING_CERT_FILE'] === undefined)
  ) {
    mistakes.push('SIGNING_KEY_FILE or SIGNING_KEY_URI must be set together with SIGNING_CERT_FILE')
  }
  for (const [issuer, client] of [
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['OPERATOR_OIDC_ISSUER', 'OPERATOR_OIDC_CLIENT_ID'],
  ] as const) {
    if ((given[issuer] === undefined) !== (given[client] === undefined))
      mistakes.push(`${issuer} and ${client} must be set together`)
  }
  if ((given['SMTP_URL'] === undefined) !== (given['MAIL_FROM'] === undefined)) {
    mistakes.push('SMTP_URL and MAIL_FROM must be set together')
  }
  if ((given['BILLING_URL'] === undefined) !== (given['BILLING_SECRET'] === undefined)) {
    mistakes.push('BILLING_URL and BILLING_SECRET must be set together')
  }
  if (parsed.data !== undefined && parsed.data.SIGN_UP !== 'off' && parsed.data.MAIL_FROM === undefined) {
    mistakes.push('SIGN_UP needs SMTP_URL and MAIL_FROM')
  }
  mistakes.push(...explainUnreadableFiles(parsed.data?.DATABASE_URL))
  if (parsed.data?.CELLS?.includes(parsed.data.CELL) === false) {
    mistakes.push(`CELLS must contain this cell, CELL, which is ${parsed.data.CELL}`)
  }
  const { BASE_URL, OPERATOR_URL } = parsed.data ?? {}
  if (OPERATOR_URL !== undefined && new URL(OPERATOR_URL).origin === new URL(BASE_URL ?? '').origin) {
    mistakes.push('OPERATOR_URL must have another origin than BASE_URL')
  }
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  const config = settings.parse(given)
  // The sandbox wallet is for development; production has it only if it is switched on.
  const SANDBOX = config.SANDBOX ?? (config.NODE_ENV === 'production' ? 'off' : 'on')
  const operatorUrl =
    config.OPERATOR_URL ?? `http://localhost:${config.OPERATOR_PORT === 'off' ? '' : config.OPERATOR_PORT}`
  return { config: { ...config, SANDBOX, OPERATOR_URL: operatorUrl }, secrets: secrets.parse(given) }
}

/** The driver would only report them when it connects, and without the setting. */
function explainUnreadableFiles(database_url: string | undefined): string[] {
  const { files } = database_url === undefined ? { files: [] } : describeUrl(database_url, {})
  return files.flatMap((file) => {
    try {
      readFileSync(file)
      return []
    } catch (error) {
      return [explainUnreadable('DATABASE_URL', file, error)]
    }
  })
}

/** The configuration of `serve` and `work`. In production it refuses settings that are only fit for development. */
export function readServingConfig(environment: NodeJS.ProcessEnv = process.env): {
  config: Config
  secrets: Secrets
} {
  const parsed = readConfig(environment)
  const mistakes = parsed.config.NODE_ENV === 'production' ? checkProduction(parsed, environment) : []
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return parsed
}

/** Why `serve` and `work` would refuse to connect to other machines. */
export function refusedConnections(
  opened: { config: Config; secrets: Secrets },
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  return opened.config.NODE_ENV === 'production' ? checkConnections(opened, environment) : []
}

/** Every variable that is set, directly or as a file, each valid by itself, for a caller that adds defaults before `readConfig`. */
export function givenVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const mistakes: string[] = []
  const given = Object.keys(allVariables.shape).map((name) => [
    name,
    readVariable(environment, name, mistakes),
  ])
  const set = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  for (const issue of allVariables.partial().safeParse(set).error?.issues ?? [])
    mistakes.push(`${String(issue.path[0])} ${issue.message}`)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return set
}

const listening = settings.pick({ HOST: true, PORT: true, METRICS_HOST: true, METRICS_PORT: true })

/** Where a `serve` or `work` with these settings listens, as URLs that reach it from this machine. */
export function listeningAddresses(environment: NodeJS.ProcessEnv = process.env): {
  service: string
  metrics: string | undefined
} {
  const mistakes: string[] = []
  const names = Object.keys(listening.shape)
  const parsed = listening.safeParse(
    Object.fromEntries(names.map((name) => [name, readVariable(environment, name, mistakes)])),
  )
  for (const issue of parsed.error?.issues ?? []) mistakes.push(`${String(issue.path[0])} ${issue.message}`)
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  const { HOST, PORT, METRICS_HOST, METRICS_PORT } = parsed.data
  return {
    service: reachableUrl(HOST, PORT),
    metrics: METRICS_PORT === 'off' ? undefined : reachableUrl(METRICS_HOST, METRICS_PORT),
  }
}

/** A URL that reaches this machine: `0.0.0.0` and `::` mean every interface, so the loopback address is used. */
export function reachableUrl(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The service that a developer's shell points to. `vidimus dev` writes these two variables. */
export function developerVariables(environment: NodeJS.ProcessEnv = process.env): {
  url?: string
  key?: string
} {
  const mistakes: string[] = []
  const url = environment['VIDIMUS_URL']
  const key = readVariable(environment, 'VIDIMUS_KEY', mistakes)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return { ...(url && { url }), ...(key && { key }) }
}

/** Where programs keep the user's settings: the XDG Base Directory Specification, and on Windows the roaming folder. */
export function userConfigFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: folder, APPDATA: roaming } = environment
  return folder || roaming || join(homedir(), '.config')
}

/** Whether `npm run` started this process. npm does not always stop what it started. */
export function startedByNpm(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment['npm_lifecycle_event'] !== undefined
}

/** The value of a variable, or of the file named by NAME_FILE. An empty variable counts as not set. */
function readVariable(environment: NodeJS.ProcessEnv, name: string, mistakes: string[]): string | undefined {
  const direct = environment[name] === '' ? undefined : environment[name]
  const file = fileVariables.has(name) ? undefined : environment[`${name}_FILE`]
  if (file === undefined || file === '') return direct
  if (direct !== undefined) mistakes.push(`${name} and ${name}_FILE are both set`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    mistakes.push(explainUnreadable(`${name}_FILE`, file, error))
    return undefined
  }
}
