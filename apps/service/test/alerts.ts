import { createHmac } from 'node:crypto'
import type { AlertKind, Role } from '@vidimus/contract'
import { raiseAlert, type RaiseAlert } from '../src/audit/alerts/raise.ts'
import type { ServiceContext } from '../src/program/context.ts'
import { sql } from '../src/engine/db/sql.ts'
import { announceAlerts } from '../src/deliveries/notifications/announce/announce.ts'
import { deliverEvents } from '../src/program/worker.ts'
import { startMailServer, type MailServerOptions } from './network/mail-server.ts'
import { waitUntil } from './wait-until.ts'
import { startService, type Merchant, type ServiceOptions } from './service.ts'

/** A service with a mail server, whose rounds of notifications a test runs itself. */
export async function startAlertService(
  mail: MailServerOptions = {},
  { environment, ...options }: Omit<ServiceOptions, 'onLog'> = {},
) {
  const log: string[] = []
  const mailServer = await startMailServer(mail)
  const service = await startService({
    ...options,
    environment: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Vidimus <vidimus@vidimus.example>',
      WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
      ...environment,
    },
    onLog: (line) => void log.push(line),
  })
  const { db } = service.ctx
  return {
    ...service,
    log,
    mails: mailServer,
    /** Runs rounds until nothing is left to do now. */
    async notifyAll(): Promise<void> {
      const { ctx } = service
      for (let busy = true; busy;) {
        const announced = await announceAlerts(ctx)
        busy = (await deliverMessages(ctx)) || announced
      }
    },
    /** Inserts members without a passkey. */
    async addMembers(merchant: Merchant, members: { email: string; role: Role; language?: string }[]) {
      for (const { email, role, language = null } of members)
        await db.execute(sql`
          insert into members (tenant_id, id, email, name, role, language)
          values (${merchant.tenant_id}, gen_random_uuid(), ${email}, 'A member', ${role}, ${language})`)
    },
    raise: (merchant: Merchant, subject = 'an endpoint') =>
      db.transaction((tx) => raiseAlert(tx, endpointAlert(merchant, subject))),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await mailServer[Symbol.asyncDispose]()
    },
  }
}

/** Delivers alerts and mails until none is due. False if none was. */
export async function deliverMessages(ctx: ServiceContext): Promise<boolean> {
  const isDue = async () => {
    const rows = await ctx.db.query(sql`
      select 1 as found from webhook_events
      where kind <> 'verification' and (ready or lease is not null or due_at <= service_now()) limit 1`)
    return rows.length > 0
  }
  if (!(await isDue())) return false
  const stop = new AbortController()
  const delivering = deliverEvents(ctx, stop.signal)
  await waitUntil(async () => !(await isDue()), { within_ms: 60_000 })
  stop.abort()
  await delivering
  return true
}

export function endpointAlert(
  { tenant_id }: { tenant_id: string },
  subject: string,
): RaiseAlert & { kind: AlertKind } {
  return {
    tenant_id,
    environment: 'live',
    kind: 'endpoint_failing',
    subject,
    details: { host: 'shop.example', description: subject },
  }
}

/** The signature that a webhook with this header and body must have. */
export function expectedSignature(header: string, body: string, secret: string): string {
  const t = /^t=(\d+)/.exec(header)?.[1] ?? ''
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
