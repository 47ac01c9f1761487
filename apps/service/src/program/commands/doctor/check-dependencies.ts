import type { Config, Secrets } from '../../../engine/config/index.ts'
import { openEgress } from '../../../engine/egress/index.ts'
import { type MailFailure, openMailer } from '../../../engine/mail/index.ts'
import { openRedis, waitForRedis } from '../../../engine/redis/index.ts'
import { type DoctorFinding, ok, warning, wrong } from '../../../operations/index.ts'

/** A host name that always exists (RFC 2606). */
const probeUrl = 'https://example.com/'

export async function checkRedis(
  { REDIS_URL: url }: Secrets,
  { NODE_ENV }: Config,
): Promise<DoctorFinding[]> {
  if (url === undefined)
    return NODE_ENV === 'production'
      ? [
          warning(
            'Redis',
            'REDIS_URL is not set: each process counts rate limits on its own.',
            'Set REDIS_URL if you run more than one process.',
          ),
        ]
      : [ok('Redis', 'is not used')]
  const redis = openRedis(url)
  try {
    await waitForRedis(redis)
    return redis.status === 'ready'
      ? [ok('Redis', 'responds')]
      : [
          wrong(
            'Redis',
            'REDIS_URL did not respond within a second: each process counts rate limits on its own.',
            'Start Redis, or correct REDIS_URL: redis://:password@host:6379.',
          ),
        ]
  } finally {
    redis.disconnect()
  }
}

/** Webhooks and lists are addressed by host name, so without working DNS nothing can be sent. */
export async function checkEgress({ DNS_SERVERS, WEBHOOK_EGRESS_ALLOW }: Config): Promise<DoctorFinding[]> {
  const egress = openEgress({ allow: WEBHOOK_EGRESS_ALLOW, dns_servers: DNS_SERVERS })
  try {
    const { verdict } = await egress.checkUrl(probeUrl)
    if (verdict === 'public') return [ok('egress', 'public host names resolve')]
    const servers =
      DNS_SERVERS.length > 0 ? `DNS_SERVERS ${DNS_SERVERS.join(', ')}` : 'The system’s name servers'
    return [
      wrong(
        'egress',
        `${servers} cannot resolve example.com: webhooks, status lists and trust lists do not work.`,
        'Set DNS_SERVERS to resolvers that this machine can reach. They are queried directly, without a hosts file.',
      ),
    ]
  } finally {
    egress.close()
  }
}

type Reason = Extract<MailFailure, { outcome: 'failed' }>['reason']

const timeout_ms = 10_000

const problems: Record<Reason, string> = {
  connection: 'cannot be reached',
  tls: 'offers no TLS, or its certificate is not valid',
  sign_in: 'refuses the user or the password',
  timeout: 'did not respond within ten seconds',
  deferred: 'refuses connections for now',
  server: 'refuses connections',
}

const cures: Record<Reason, string> = {
  connection: 'Start it, or correct host and port in SMTP_URL.',
  tls: 'Use the name that its certificate is for. NODE_EXTRA_CA_CERTS adds your own authority. smtps:// is for port 465, smtp:// for STARTTLS.',
  sign_in: 'Correct user and password in SMTP_URL; characters such as @ and / are percent-encoded.',
  timeout: 'Check that a firewall allows the connection: 587 for smtp://, 465 for smtps://.',
  deferred: 'Try again later, or ask the operator of the mail server.',
  server: 'Ask the operator of the mail server whether this host may send mail.',
}

/** Connects to the mail server and signs in. Sends nothing. */
export async function checkMail(
  { MAIL_FROM: from, BASE_URL }: Config,
  { SMTP_URL: server }: Secrets,
): Promise<DoctorFinding[]> {
  if (server === undefined || from === undefined)
    return [ok('mail', 'is not used: alerts and invitations are not sent by e-mail')]
  const mailer = openMailer({ server, from, client_name: new URL(BASE_URL).hostname, timeout_ms })
  const checked = await mailer.check()
  if (checked.outcome === 'sent') return [ok('mail', `${server.host}:${server.port} accepts connections`)]
  const reason = checked.outcome === 'refused' ? 'server' : checked.reason
  return [
    wrong(
      'mail',
      `The mail server ${server.host}:${server.port} of SMTP_URL ${problems[reason]} (${checked.code}).`,
      cures[reason],
    ),
  ]
}
