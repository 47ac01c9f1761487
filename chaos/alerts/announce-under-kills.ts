import { setTimeout as sleep } from 'node:timers/promises'
import { raiseAlert } from '../../apps/service/src/audit/alerts/raise.ts'
import { newAlertSecret } from '../../apps/service/src/deliveries/notifications/webhook/secret.ts'
import { putAlertWebhook } from '../../apps/service/src/deliveries/notifications/webhook/store.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { endpointAlert } from '../../apps/service/test/alerts.ts'
import { setClockOffset } from '../../apps/service/test/database/clock.ts'
import { startMailServer } from '../../apps/service/test/network/mail-server.ts'
import { reply, startReceiver } from '../../apps/service/test/network/receiver.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import {
  startWorkerProcesses,
  type WorkerProcesses,
} from '../../apps/service/test/processes/worker-processes.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'

const fullSize = 2000
const alertsPerTenant = 5
const alertsPerKill = 40
const workers = 2
const betweenKills_ms = 2000
const failureRate = 0.3
const shareRolledBack = 0.1

/**
 * Raises alerts while workers are killed and three in ten mails and webhooks fail. In the end every committed alert has reached
 * the mail server and the receiver, and none that was rolled back has. `lost` counts the violations.
 */
export const announceUnderKills: ChaosRun = ({ n = fullSize }) => run('alerts', n, [])

/** The same with an injected fault: a mail is deleted before it is sent. The run must detect lost mails. */
export const announceWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('alerts.injected', n, sourceFaults.mailMarkedBeforeSending)

async function run(name: string, alerts: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  await using mails = await startMailServer({ refuse: () => (fails() ? 451 : undefined) })
  const acknowledged = new Map<string, number>()
  await using receiver = await startReceiver((socket, request) => {
    if (fails()) return reply(500)(socket, request)
    count(acknowledged, `webhook ${JSON.parse(request.body).alert.subject}`)
    reply(204)(socket, request)
  })
  const environment = {
    SMTP_URL: mails.url,
    MAIL_FROM: 'vidimus@vidimus.example',
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    WEBHOOK_BACKOFF_SECONDS: '1,1,1,1,1,1,1,1,1,1,1,1',
    METRICS_PORT: 'off',
    LOG_LEVEL: 'error',
  }
  await using service = await startProcesses(0, { environment })
  const kills = Math.ceil(alerts / alertsPerKill)
  await using workerProcesses = await startWorkerProcesses({
    workers,
    environment: testEnvironment(service.database_url, environment),
    injectedFaults,
  })
  const [raised] = await Promise.all([
    raiseAlerts(service, { alerts, kills, url: receiver.url }),
    killWorkers(workerProcesses, kills),
  ])
  await drain(service)
  for (const { to, headers } of mails.received) count(acknowledged, `mail ${to[0]} ${headers['subject']}`)
  return buildReport(name, { ...raised, acknowledged, kills })
}

const fails = () => Math.random() < failureRate
const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

type RaisedAlerts = { committed: string[]; rolledBack: string[] }

/** Raises alerts of many tenants throughout the kills: one tenant's would be gathered in a digest. */
async function raiseAlerts(
  service: ServiceProcesses,
  { alerts, kills, url }: { alerts: number; kills: number; url: string },
): Promise<RaisedAlerts> {
  const { ctx } = service
  const raised: RaisedAlerts = { committed: [], rolledBack: [] }
  const pause_ms = (kills * betweenKills_ms) / alerts
  while (raised.committed.length < alerts) {
    const { tenant_id } = await service.tenant()
    const owner = `owner-${tenant_id}@example.com`
    await ctx.db.execute(sql`
      insert into members (tenant_id, id, email, name, role) values (${tenant_id}, gen_random_uuid(), ${owner}, 'Owner', 'owner')`)
    const { sealed } = newAlertSecret(ctx.keyring)
    await putAlertWebhook(ctx.db, { tenant_id, url, host: new URL(url).host, sealed, created_by: null })
    for (let n = 0; n < alertsPerTenant; n += 1) {
      const subject = `${tenant_id} ${n}`
      const rollsBack = Math.random() < shareRolledBack
      await ctx.db
        .transaction(async (tx) => {
          await raiseAlert(tx, endpointAlert({ tenant_id }, subject))
          if (rollsBack) throw new Error('rolled back on purpose')
        })
        .catch((error: unknown) => {
          if (!rollsBack) throw error
        })
      if (rollsBack) raised.rolledBack.push(subject)
      else raised.committed.push(subject)
      await sleep(pause_ms)
    }
  }
  return raised
}

async function killWorkers(workerProcesses: WorkerProcesses, kills: number): Promise<void> {
  for (let n = 0; n < kills; n += 1) {
    await sleep(betweenKills_ms)
    await workerProcesses.replaceOne()
  }
}

/** Waits until nothing is left. What waits for a later attempt gets it: the clock is turned to its time. */
async function drain({ ctx }: ServiceProcesses): Promise<void> {
  let offset_seconds = 0
  let wasIdle = false
  await waitUntil(
    async () => {
      const [row] = await ctx.db.query<{ seconds: number | null }>(sql`
        select extract(epoch from min(due_at) - service_now())::float8 as seconds from (
          select case when ready then service_now() else due_at end from webhook_events union all select due_at from alert_events
        ) waiting`)
      const seconds = row?.seconds ?? null
      if (seconds === null) return true
      // Twice in a row, because a worker may be about to record an attempt.
      if (seconds > 0 && wasIdle) {
        offset_seconds += Math.ceil(seconds)
        await setClockOffset(ctx.db, `${offset_seconds} seconds`)
      }
      wasIdle = seconds > 0
      return false
    },
    { within_ms: 300_000, every_ms: 500 },
  )
}

type Observations = RaisedAlerts & { acknowledged: Map<string, number>; kills: number }

function buildReport(
  name: string,
  { committed, rolledBack, acknowledged, kills }: Observations,
): ChaosReport {
  const arrived = (channel: 'mail' | 'webhook', subject: string) =>
    Array.from(acknowledged.keys()).some((key) => key.startsWith(channel) && key.includes(subject))
  const violations = {
    'mails lost': committed.filter((subject) => !arrived('mail', subject)).length,
    'webhooks lost': committed.filter((subject) => !arrived('webhook', subject)).length,
    'announced although rolled back': rolledBack.filter(
      (subject) => arrived('mail', subject) || arrived('webhook', subject),
    ).length,
  }
  for (const [what, number] of Object.entries(violations))
    if (number > 0) process.stderr.write(`${what}: ${number}\n`)
  const mails = Array.from(acknowledged).filter(([key]) => key.startsWith('mail'))
  return {
    name,
    faults: kills,
    acknowledged: committed.length,
    lost: Object.values(violations).reduce((sum, number) => sum + number, 0),
    duplicated: mails.reduce((sum, [, times]) => sum + times - 1, 0),
    // Each worker sends four mails at a time. Those of a killed one are sent again.
    duplicates_allowed: 4 * kills,
  }
}
