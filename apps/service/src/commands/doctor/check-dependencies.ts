import type { Config, Secrets } from '../../config.ts'
import type { Database } from '../../platform/db/open.ts'
import { openEgress } from '../../platform/egress/open.ts'
import { waitForRedis, openRedis } from '../../platform/redis/open.ts'
import { readAuditLag } from '../../audit/chain/read-lag.ts'
import { readWebhookLag } from '../../webhooks/deliver/read-lag.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

/** A name that the reserved domain's own servers answer for (RFC 2606). */
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
            'REDIS_URL is not set: each process counts its own budgets.',
            'Set REDIS_URL if you run more than one process.',
          ),
        ]
      : [ok('Redis', 'is not used')]
  const redis = openRedis(url)
  try {
    await waitForRedis(redis)
    return redis.status === 'ready'
      ? [ok('Redis', 'answers')]
      : [
          wrong(
            'Redis',
            'Nothing answers at REDIS_URL within a second: each process counts its own budgets.',
            'Start Redis, or correct REDIS_URL: redis://:password@host:6379.',
          ),
        ]
  } finally {
    redis.disconnect()
  }
}

/** Webhooks and lists are sent to names: without name servers that answer, nothing leaves. */
export async function checkEgress({ DNS_SERVERS, WEBHOOK_EGRESS_ALLOW }: Config): Promise<DoctorFinding[]> {
  const egress = openEgress({ allow: WEBHOOK_EGRESS_ALLOW, dns_servers: DNS_SERVERS })
  try {
    const { verdict } = await egress.checkUrl(probeUrl)
    if (verdict === 'public') return [ok('egress', 'outside names are resolved')]
    const servers =
      DNS_SERVERS.length > 0 ? `DNS_SERVERS ${DNS_SERVERS.join(', ')}` : 'the system’s name servers'
    return [
      wrong(
        'egress',
        `example.com cannot be resolved by ${servers}: no webhook, status list or trust list goes out.`,
        'Set DNS_SERVERS to resolvers that this machine may ask; they are asked directly, without a hosts file.',
      ),
    ]
  } finally {
    egress.close()
  }
}

const maxLag_seconds = 60

/** What a worker does within a second has waited for a minute: there is none. */
export async function checkWorker(db: Database): Promise<DoctorFinding[]> {
  const [audit, webhooks] = [await readAuditLag({ db }), await readWebhookLag({ db })]
  if (Math.max(audit, webhooks) <= maxLag_seconds) return [ok('worker', 'nothing waits')]
  const what = webhooks > maxLag_seconds ? 'A webhook' : 'An audit entry'
  return [
    wrong(
      'worker',
      `${what} has waited for ${Math.round(Math.max(audit, webhooks))} s.`,
      'Start `vidimus work` beside `vidimus serve`; if it runs, look in its log for “a round failed”.',
    ),
  ]
}
