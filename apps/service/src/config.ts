import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isNameServer } from './platform/egress/is-name-server.ts'
import { readCidr } from './platform/egress/read-cidr.ts'
import { readMailAddress, type MailAddress } from './platform/mail/address.ts'
import { isLoopback, readSmtpUrl, type MailServer } from './platform/mail/read-smtp-url.ts'

type RateLimit = { requests: number; seconds: number }
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

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be ${min}-${max}`)

const rateLimitPattern = /^(key|ip|session)=([1-9]\d{0,6})\/([1-9]\d{0,4})$/
const rateLimits = z.string().transform((text, ctx): Record<'key' | 'ip' | 'session', RateLimit> | 'off' => {
  if (text === 'off') return 'off'
  const parts = text.split(',').map((part) => rateLimitPattern.exec(part.trim()))
  const limits = Object.fromEntries(
    parts.map((part) => [part?.[1] ?? '', { requests: Number(part?.[2]), seconds: Number(part?.[3]) }]),
  )
  const { key, ip, session } = limits
  if (parts.length !== 3 || key === undefined || ip === undefined || session === undefined) {
    ctx.addIssue('must be off, or key=N/S,ip=N/S,session=N/S (requests / seconds)')
    return z.NEVER
  }
  return { key, ip, session }
})

const plans = z.string().transform((text, ctx): { name: string; daily_quota: number }[] => {
  const parts = text.split(',').map((part) => /^([a-z][a-z0-9_-]{0,31})=(\d{1,9})$/.exec(part.trim()))
  if (parts.some((part) => part === null)) {
    ctx.addIssue('must be comma-separated name=daily_quota pairs, such as starter=1000,growth=50000')
    return z.NEVER
  }
  return parts.map((part) => ({ name: part?.[1] ?? '', daily_quota: Number(part?.[2]) }))
})

/** Only usable devices and keys count, not revoked or expired ones. */
export type PlanLimits = Record<
  'devices' | 'registrations_a_day' | 'members' | 'invitations' | 'keys' | 'templates',
  number
>

export const defaultPlanLimits = {
  starter: {
    devices: 100,
    registrations_a_day: 500,
    members: 25,
    invitations: 25,
    keys: 100,
    templates: 100,
  },
  growth: {
    devices: 1000,
    registrations_a_day: 5000,
    members: 200,
    invitations: 50,
    keys: 500,
    templates: 500,
  },
  scale: {
    devices: 5000,
    registrations_a_day: 20_000,
    members: 1000,
    invitations: 200,
    keys: 1000,
    templates: 1000,
  },
} satisfies Record<string, PlanLimits>

/** A named limit replaces the default. A plan without defaults gets those of `growth`. */
const planLimits = z.string().transform((text, ctx): Record<string, PlanLimits> => {
  const limits: Record<string, PlanLimits> = { ...defaultPlanLimits }
  for (const part of text.split(',')) {
    const [, plan = '', name = '', value] =
      /^([a-z][a-z0-9_-]{0,31})\.([a-z_]+)=(\d{1,6})$/.exec(part.trim()) ?? []
    if (!(name in defaultPlanLimits.growth)) {
      ctx.addIssue(
        `must be comma-separated plan.limit=number entries; the limits are ${Object.keys(defaultPlanLimits.growth).join(', ')}`,
      )
      return z.NEVER
    }
    limits[plan] = { ...(limits[plan] ?? defaultPlanLimits.growth), [name]: Number(value) }
  }
  return limits
})

const cidrs = commaSeparated(readCidr, 'is not an address range such as 10.0.0.0/8')
const nameServers = commaSeparated(
  (text) => (isNameServer(text) ? text : undefined),
  'is not a name server address such as 9.9.9.9 or 127.0.0.1:5353',
)

/** Parses a comma-separated list and reports every item that is not valid. */
function commaSeparated<Item>(read: (text: string) => Item | undefined, problem: string) {
  return z.string().transform((text, ctx): Item[] => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    const items = parts.map(read)
    for (const [index, item] of items.entries()) {
      if (item === undefined) ctx.addIssue(`${parts[index]} ${problem}`)
    }
    return items.filter((item) => item !== undefined)
  })
}

const seconds = z.string().transform((text, ctx): number[] => {
  const parts = text.split(',').map((part) => (/^\d{1,6}$/.test(part.trim()) ? Number(part) : Number.NaN))
  if (parts.some(Number.isNaN) || parts.length > 20)
    ctx.addIssue('must be at most 20 comma-separated whole numbers of seconds')
  return parts
})

const baseUrl = z.string().transform((text, ctx): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    ctx.addIssue('must be the public URL, such as https://verify.example.com')
    return z.NEVER
  }
  return url.href.replace(/\/$/, '')
})

const masterKey = z.string().transform((text, ctx): Buffer => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) ctx.addIssue('must be 32 bytes in base64; create one with `openssl rand -base64 32`')
  return key
})

const mailFrom = z.string().transform((text, ctx): MailAddress => {
  const from = readMailAddress(text)
  if (from === undefined) {
    ctx.addIssue('must be an address such as Vidimus <vidimus@example.com>')
    return z.NEVER
  }
  return from
})

const smtpUrl = z.string().transform((text, ctx): MailServer => {
  const server = readSmtpUrl(text)
  if ('problem' in server) {
    ctx.addIssue(server.problem)
    return z.NEVER
  }
  return server
})

/** The value is never repeated, because it contains a password. */
const databaseUrl = z
  .string('is required: the PostgreSQL database to use')
  .refine(
    (text) => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text),
    'must be a URL such as postgres://user:password@127.0.0.1:5432/vidimus; percent-encode special characters in the password',
  )

const settings = z.object({
  NODE_ENV: z.string().default('development'),
  BASE_URL: baseUrl.default('http://localhost:8080'),
  HOST: z.string().default('0.0.0.0'),
  PORT: wholeNumber(0, 65_535).default(8080),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.union([z.literal('off'), wholeNumber(0, 65_535)], 'must be a port, or off').default(9464),
  SIGNING_KEY_FILE: z.string().optional(),
  SIGNING_CERT_FILE: z.string().optional(),
  WEBHOOK_EGRESS_ALLOW: cidrs.default([]),
  WEBHOOK_BACKOFF_SECONDS: seconds.default([5, 300, 1800, 7200, 18_000]),
  RATE_LIMITS: rateLimits.default({
    key: { requests: 6000, seconds: 60 },
    ip: { requests: 6000, seconds: 60 },
    session: { requests: 600, seconds: 60 },
  }),
  TRUSTED_PROXIES: cidrs.default([]),
  DB_POOL_SIZE: wholeNumber(2, 200).default(10),
  CELL: z
    .string()
    .regex(/^[0-9A-Za-z]$/, 'must be one letter or digit')
    .default('0'),
  PLANS: plans.default([
    { name: 'starter', daily_quota: 1000 },
    { name: 'growth', daily_quota: 50_000 },
    { name: 'scale', daily_quota: 1_000_000 },
  ]),
  PLAN_LIMITS: planLimits.default({ ...defaultPlanLimits }),
  SANDBOX: z.enum(['on', 'off'], 'must be on or off').optional(),
  TRUST_LISTS_FILE: z.string().optional(),
  AUDIT_CHECKPOINT_DIR: z.string().optional(),
  DNS_SERVERS: nameServers.default([]),
  REQUEST_LOG: z.enum(['on', 'off'], 'must be on or off').default('on'),
  OIDC_ISSUER: z.url('must be a URL').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  MAIL_FROM: mailFrom.optional(),
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
  MASTER_KEY: masterKey,
  MASTER_KEY_PREVIOUS: masterKey.optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  SMTP_URL: smtpUrl.optional(),
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
    mistakes.push(
      `${name} ${given[name] === undefined && !/required/.test(issue.message) ? 'is required' : issue.message}`,
    )
  }
  if ((given['SIGNING_KEY_FILE'] === undefined) !== (given['SIGNING_CERT_FILE'] === undefined)) {
    mistakes.push('SIGNING_KEY_FILE and SIGNING_CERT_FILE must be set together')
  }
  if ((given['OIDC_ISSUER'] === undefined) !== (given['OIDC_CLIENT_ID'] === undefined)) {
    mistakes.push('OIDC_ISSUER and OIDC_CLIENT_ID must be set together')
  }
  if ((given['SMTP_URL'] === undefined) !== (given['MAIL_FROM'] === undefined)) {
    mistakes.push('SMTP_URL and MAIL_FROM must be set together')
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
  const { SMTP_URL } = parsed.secrets
  if (NODE_ENV !== 'production') return parsed
  const mistakes = [
    ...(BASE_URL.startsWith('https:')
      ? []
      : [`BASE_URL must be an https URL in production; it is ${BASE_URL}`]),
    ...(RATE_LIMITS === 'off' ? ['RATE_LIMITS must not be off in production'] : []),
    ...(OIDC_ISSUER === undefined || OIDC_ISSUER.startsWith('https:')
      ? []
      : [`OIDC_ISSUER must be an https URL in production; it is ${OIDC_ISSUER}`]),
    ...(SMTP_URL === undefined || SMTP_URL.tls !== 'off' || isLoopback(SMTP_URL.host)
      ? []
      : ['SMTP_URL must use TLS in production, unless the mail server is on this machine']),
  ]
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return parsed
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
  } catch {
    mistakes.push(`${name}_FILE: can't read ${file}`)
    return undefined
  }
}
