import { describeUrl } from '../db/connection/describe-url.ts'
import { type MailServer, isLoopback } from '../mail/address.ts'

type Connections = {
  config: {
    OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
    OTEL_EXPORTER_OTLP_INSECURE: 'true' | 'false'
  }
  secrets: { DATABASE_URL: string; REDIS_URL?: string | undefined; SMTP_URL?: MailServer | undefined }
}
type Settings = Connections & {
  config: {
    BASE_URL: string
    OPERATOR_PORT: number | 'off'
    OPERATOR_URL: string
    RATE_LIMITS: object | 'off'
    OIDC_ISSUER?: string | undefined
    OPERATOR_OIDC_ISSUER?: string | undefined
    BILLING_URL?: string | undefined
  }
}

/** What `serve` and `work` refuse in production: settings that are only fit for development. */
export function checkProduction({ config, secrets }: Settings, environment: NodeJS.ProcessEnv): string[] {
  const { BASE_URL, OPERATOR_PORT, OPERATOR_URL, RATE_LIMITS, BILLING_URL } = config
  return [
    ...(BASE_URL.startsWith('https:')
      ? []
      : environment['BASE_URL'] || environment['BASE_URL_FILE']
        ? [`BASE_URL must be an https URL in production; it is ${BASE_URL}`]
        : ['BASE_URL is required in production: the public https URL']),
    // Browsers treat localhost as secure, and a tunnel leads there.
    ...(OPERATOR_PORT === 'off' ||
    OPERATOR_URL.startsWith('https:') ||
    new URL(OPERATOR_URL).hostname === 'localhost'
      ? []
      : [`OPERATOR_URL must be an https URL in production, or one of localhost; it is ${OPERATOR_URL}`]),
    ...(RATE_LIMITS === 'off' ? ['RATE_LIMITS must not be off in production'] : []),
    ...(['OIDC_ISSUER', 'OPERATOR_OIDC_ISSUER'] as const).flatMap((name) => {
      const issuer = config[name]
      return issuer === undefined || issuer.startsWith('https:')
        ? []
        : [`${name} must be an https URL in production; it is ${issuer}`]
    }),
    ...(BILLING_URL === undefined ||
    BILLING_URL.startsWith('https:') ||
    isThisMachine(hostOf(new URL(BILLING_URL)))
      ? []
      : ['BILLING_URL must be an https URL in production']),
    ...checkConnections({ config, secrets }, environment),
  ]
}

/**
 * Connections to other machines that anyone could make or read. Each can be used without encryption if the operator says so, except
 * that to the mail server, which leads through networks of others.
 */
export function checkConnections({ config, secrets }: Connections, environment: NodeJS.ProcessEnv): string[] {
  const { SMTP_URL, DATABASE_URL, REDIS_URL } = secrets
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_INSECURE } = config
  const database = describeUrl(DATABASE_URL, environment)
  const database_is_remote = !isThisMachine(database.host)
  return [
    ...(SMTP_URL === undefined || SMTP_URL.tls !== 'off' || isLoopback(SMTP_URL.host)
      ? []
      : ['SMTP_URL must use TLS in production, unless the mail server is on this machine']),
    ...(database_is_remote && !database.has_proof
      ? [
          'DATABASE_URL needs a password or a client certificate (sslcert) in production, unless the database is on this machine',
        ]
      : []),
    ...(database_is_remote && database.tls === 'not_set'
      ? [
          'DATABASE_URL must say whether TLS is used in production: add sslmode=verify-full, or sslmode=disable if nobody else can read the network to the database',
        ]
      : []),
    ...(REDIS_URL !== undefined && isUnencryptedRedis(new URL(REDIS_URL))
      ? [
          'REDIS_URL must use TLS in production: begin it with rediss://, or add ?tls=off if nobody else can read the network to Redis',
        ]
      : []),
    ...(collector?.startsWith('http:') &&
    !isThisMachine(hostOf(new URL(collector))) &&
    OTEL_EXPORTER_OTLP_INSECURE === 'false'
      ? [
          'OTEL_EXPORTER_OTLP_ENDPOINT must be an https URL in production; set OTEL_EXPORTER_OTLP_INSECURE=true if nobody else can read the network to the collector',
        ]
      : []),
    ...(environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? [
          'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production, because every certificate would be accepted; NODE_EXTRA_CA_CERTS adds your own authority',
        ]
      : []),
  ]
}

function isUnencryptedRedis(url: URL): boolean {
  return url.protocol === 'redis:' && !isThisMachine(hostOf(url)) && url.searchParams.get('tls') !== 'off'
}

/** Whether connections to the host, or to the socket in this folder, never leave this machine. */
function isThisMachine(host: string): boolean {
  return host === '' || host.startsWith('/') || isLoopback(host)
}

function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '')
}

/** There is one master key, and one more only while it is being changed. */
export function checkMasterKeys(
  given: Record<string, string | undefined>,
  environment: NodeJS.ProcessEnv,
): string[] {
  const isSet = (name: string) => given[name] !== undefined || Boolean(environment[`${name}_FILE`])
  const current = ['MASTER_KEY', 'MASTER_KEY_URI'].filter(isSet)
  const previous = ['MASTER_KEY_PREVIOUS', 'MASTER_KEY_PREVIOUS_URI'].filter(isSet)
  return [
    ...(current.length === 0 ? ['MASTER_KEY or MASTER_KEY_URI is required'] : []),
    ...(current.length === 2
      ? [
          'MASTER_KEY and MASTER_KEY_URI are both set; while the master key is being changed, set the old one as MASTER_KEY_PREVIOUS or MASTER_KEY_PREVIOUS_URI',
        ]
      : []),
    ...(previous.length === 2 ? ['MASTER_KEY_PREVIOUS and MASTER_KEY_PREVIOUS_URI are both set'] : []),
  ]
}
