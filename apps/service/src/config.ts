import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  baseUrl,
  cells,
  cidrs,
  collectorUrl,
  databaseUrl,
  defaultPlanLimits,
  mailFrom,
  masterKey,
  namedValues,
  nameServers,
  pkcs11Uri,
  planLimits,
  plans,
  processCount,
  rateLimits,
  ratio,
  seconds,
  smtpUrl,
  wholeNumber,
} from './config-values.ts'
import { checkMasterKeys } from './check-master-keys.ts'
import { explainUnreadable } from './platform/explain-unreadable.ts'
import { defaultMaxSpans } from './platform/tracing/span-bounds.ts'
import { isLoopback } from './platform/mail/read-smtp-url.ts'

export type Config = z.infer<typeof settings> & { SANDBOX: 'on' | 'off' }
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

/** For a developer's machine. Production must name its own. */
const localBaseUrl = 'http://localhost:8080'

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
  BASE_URL: baseUrl.default(localBaseUrl),
  HOST: z.string().default('0.0.0.0'),
  PORT: wholeNumber(0, 65_535).default(8080),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.union([z.literal('off'), wholeNumber(0, 65_535)], 'must be a port, or off').default(9464),
  SIGNING_KEY_FILE: z.string().optional(),
  SIGNING_KEY_URI: pkcs11Uri('private').optional(),
  SIGNING_CERT_FILE: z.string().optional(),
  MASTER_KEY_URI: pkcs11Uri('secret-key').optional(),
  MASTER_KEY_PREVIOUS_URI: pkcs11Uri('secret-key').optional(),
  WEBHOOK_EGRESS_ALLOW: cidrs.default([]),
  WEBHOOK_BACKOFF_SECONDS: seconds.default([5, 300, 1800, 7200, 18_000]),
  RATE_LIMITS: rateLimits.default({
    key: { requests: 6000, seconds: 60 },
    ip: { requests: 6000, seconds: 60 },
    session: { requests: 600, seconds: 60 },
  }),
  TRUSTED_PROXIES: cidrs.default([]),
  DB_POOL_SIZE: wholeNumber(2, 200).default(10),
  WEB_CONCURRENCY: processCount.optional(),
  CELL: z
    .string()
    .regex(/^[0-9A-Za-z]$/, 'must be one letter or digit')
    .default('0'),
  CELLS: cells.optional(),
  PLANS: plans.default([
    { name: 'starter', daily_quota: 1000 },
    { name: 'growth', daily_quota: 50_000 },
    { name: 'scale', daily_quota: 1_000_000 },
  ]),
  PLAN_LIMITS: planLimits.default({ ...defaultPlanLimits }),
  SANDBOX: z.enum(['on', 'off'], 'must be on or off').optional(),
  TRUST_LISTS_FILE: z.string().optional(),
  AUDIT_CHECKPOINT_DIR: z.string().optional(),
  ERASURE_LEDGER: z.string().optional(),
  DNS_SERVERS: nameServers.default([]),
  REQUEST_LOG: z.enum(['on', 'off'], 'must be on or off').default('on'),
  OIDC_ISSUER: z.url('must be a URL').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  MAIL_FROM: mailFrom.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl.optional(),
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
  REDIS_URL: z
    .string()
    .refine(
      (text) => /^rediss?:\/\//.test(text) && URL.canParse(text),
      'must be a URL such as redis://127.0.0.1:6379',
    )
    .optional(),
  MASTER_KEY: masterKey.optional(),
  MASTER_KEY_PREVIOUS: masterKey.optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  SMTP_URL: smtpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: namedValues.optional(),
})

const allVariables = z.object({ ...settings.shape, ...secrets.shape })
/** These variables already name files. Every other one can be given as NAME_FILE, the path of a file with the value. */
const fileVariables = new Set(['SIGNING_KEY_FILE', 'SIGNING_CERT_FILE', 'TRUST_LISTS_FILE'])

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
  if ((given['OIDC_ISSUER'] === undefined) !== (given['OIDC_CLIENT_ID'] === undefined)) {
    mistakes.push('OIDC_ISSUER and OIDC_CLIENT_ID must be set together')
  }
  if ((given['SMTP_URL'] === undefined) !== (given['MAIL_FROM'] === undefined)) {
    mistakes.push('SMTP_URL and MAIL_FROM must be set together')
  }
  if (parsed.data?.CELLS?.includes(parsed.data.CELL) === false) {
    mistakes.push(`CELLS must contain this cell, CELL, which is ${parsed.data.CELL}`)
  }
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  const config = settings.parse(given)
  // The sandbox wallet is for development; production has it only if it is switched on.
  const SANDBOX = config.SANDBOX ?? (config.NODE_ENV === 'production' ? 'off' : 'on')
  return { config: { ...config, SANDBOX }, secrets: secrets.parse(given) }
}

/** The configuration of `serve` and `work`. In production it refuses settings that are only fit for development. */
export function readServingConfig(environment?: NodeJS.ProcessEnv): { config: Config; secrets: Secrets } {
  const parsed = readConfig(environment)
  const { NODE_ENV, BASE_URL, RATE_LIMITS, OIDC_ISSUER } = parsed.config
  const { SMTP_URL, DATABASE_URL } = parsed.secrets
  if (NODE_ENV !== 'production') return parsed
  const mistakes = [
    ...(BASE_URL === localBaseUrl
      ? ['BASE_URL is required in production: the public https URL']
      : BASE_URL.startsWith('https:')
        ? []
        : [`BASE_URL must be an https URL in production; it is ${BASE_URL}`]),
    ...(RATE_LIMITS === 'off' ? ['RATE_LIMITS must not be off in production'] : []),
    ...(OIDC_ISSUER === undefined || OIDC_ISSUER.startsWith('https:')
      ? []
      : [`OIDC_ISSUER must be an https URL in production; it is ${OIDC_ISSUER}`]),
    ...(SMTP_URL === undefined || SMTP_URL.tls !== 'off' || isLoopback(SMTP_URL.host)
      ? []
      : ['SMTP_URL must use TLS in production, unless the mail server is on this machine']),
    ...(isOpenDatabase(new URL(DATABASE_URL))
      ? [
          'DATABASE_URL needs a password or a client certificate (sslcert) in production, unless the database is on this machine',
        ]
      : []),
  ]
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return parsed
}

/** A server on another machine that needs no proof of who connects lets everyone in who can reach it. */
function isOpenDatabase({ hostname, password, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname.replaceAll(/[[\]]/g, '')
  const isLocal = host === '' || host.startsWith('/') || isLoopback(host)
  const hasProof = password !== '' || searchParams.has('password') || searchParams.has('sslcert')
  return !isLocal && !hasProof
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
  url: string
  key?: string
} {
  const { VIDIMUS_URL: url, VIDIMUS_KEY: key } = environment
  return { url: url || 'http://localhost:8080', ...(key && { key }) }
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
