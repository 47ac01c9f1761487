import type { Config, Secrets } from '../../../engine/config/index.ts'
import { type Database, readHeartbeatAge } from '../../../engine/db/index.ts'
import { openEgress } from '../../../engine/egress/index.ts'
import { openRedis, waitForRedis } from '../../../engine/redis/index.ts'
import { readAuditLag } from '../../../audit/index.ts'
import { readWebhookLag } from '../../../deliveries/index.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

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

const maxLag_seconds = 60

/** A worker handles these within a second. If one has waited for a minute, no worker is running. Without traffic only its heartbeat is missing. */
export async function checkWorker(db: Database): Promise<DoctorFinding[]> {
  const [audit, webhooks] = [await readAuditLag({ db }), await readWebhookLag({ db })]
  if (Math.max(audit, webhooks) <= maxLag_seconds) return [await checkHeartbeat(db)]
  const what = webhooks > maxLag_seconds ? 'A webhook' : 'An audit entry'
  return [
    wrong(
      'worker',
      `${what} has waited for ${Math.round(Math.max(audit, webhooks))} s.`,
      'Start `vidimus work` beside `vidimus serve`. If it runs, search its log for “background task failed”.',
    ),
  ]
}

async function checkHeartbeat(db: Database): Promise<DoctorFinding> {
  const age_seconds = await readHeartbeatAge(db)
  if (age_seconds !== undefined && age_seconds <= maxLag_seconds) return ok('worker', 'no backlog')
  return warning(
    'worker',
    age_seconds === undefined
      ? 'No worker has ever run: no webhook is sent and nothing is deleted when its time is over.'
      : `No worker has run for ${Math.round(age_seconds)} s: webhooks wait, and nothing is deleted when its time is over.`,
    'Start `vidimus work` beside `vidimus serve`.',
  )
}
