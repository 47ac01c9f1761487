import { createHmac } from 'node:crypto'
import pg from 'pg'
import { Pool as HttpPool } from 'undici'

type VerificationRow = {
  id: string
  tenant_id: string
  environment: string
  status: string
  template: string
  metadata: Record<string, string>
  created_at: Date
  expires_at: Date
  responded_at: Date
  claims: Record<string, unknown>
  credentials: unknown[]
  webhook_url: string
  webhook_secret: string
}

export type DeliverOptions = { database_url: string; poolSize: number; connectionsPerHost: number }

/** Delivers the result of one session: reads it, renders and signs the message, posts it and logs the attempt. */
export function openDeliveries({ database_url, poolSize, connectionsPerHost }: DeliverOptions) {
  const pool = new pg.Pool({ connectionString: database_url, max: poolSize })
  const clients = new Map<string, HttpPool>()
  const clientOf = (origin: string): HttpPool => {
    const client = clients.get(origin) ?? new HttpPool(origin, { connections: connectionsPerHost })
    clients.set(origin, client)
    return client
  }

  return async (verification_id: string, attempt: number): Promise<void> => {
    const verification = await readVerification(pool, verification_id)
    // It was erased meanwhile.
    if (verification === undefined) return
    const { origin, pathname } = new URL(verification.webhook_url)
    const attempted_at = new Date()
    const started = performance.now()
    const response = await clientOf(origin).request({
      method: 'POST',
      path: pathname,
      ...composeMessage(verification, attempt, attempted_at),
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    })
    await response.body.dump()
    const isDelivered = response.statusCode >= 200 && response.statusCode < 300
    await pool.query({
      name: 'log attempt',
      text: `insert into deliveries
          (verification_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [
        verification_id,
        attempt,
        verification.tenant_id,
        verification.environment,
        attempted_at,
        isDelivered ? 'delivered' : 'failed',
        response.statusCode,
        Math.round(performance.now() - started),
      ],
    })
    if (!isDelivered) throw new Error(`the receiver answered ${response.statusCode}`)
  }
}

async function readVerification(
  pool: pg.Pool,
  verification_id: string,
): Promise<VerificationRow | undefined> {
  const { rows } = await pool.query<VerificationRow>({
    name: 'read session',
    text: `select s.id, s.tenant_id, s.environment, s.status, s.template, s.metadata, s.created_at, s.expires_at,
        s.responded_at, r.claims, r.credentials, s.webhook_url, t.webhook_secret
      from sessions s
      join tenants t on t.id = s.tenant_id
      left join results r on r.verification_id = s.id
      where s.id = $1`,
    values: [verification_id],
  })
  return rows[0]
}

function composeMessage(
  { tenant_id: _, environment: __, webhook_url: ___, webhook_secret, ...verification }: VerificationRow,
  attempt: number,
  sent_at: Date,
) {
  const body = JSON.stringify({ type: `verification.${verification.status}`, verification, sent_at })
  const unix_seconds = Math.floor(sent_at.getTime() / 1000)
  const signature = createHmac('sha256', webhook_secret).update(`${unix_seconds}.${body}`).digest('hex')
  return {
    headers: {
      'content-type': 'application/json',
      'x-service-signature': `t=${unix_seconds},v1=${signature}`,
      'x-service-event-id': `evt_${verification.id}`,
      'x-service-attempt': String(attempt),
    },
    body,
  }
}
