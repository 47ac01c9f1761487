import { UsageDayPayload } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { deliverMessages, expectedSignature } from '../../../test/alerts.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { deleteTenant } from '../../accounts/tenants/delete.ts'
import { listUsage } from '../../accounts/usage/list-usage.ts'
import { flushAudit } from '../../audit/advance.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { countPastDays } from '../../verifications/figures/count-past-days.ts'
import { usageBackoff_seconds } from './send-usage-day.ts'

const secret = 'a secret of the operator, 32 bytes and more'
const plain = { template: 'age_over_18' }

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const startBilled = (receiver: Receiver) =>
  startService({
    environment: { BILLING_URL: receiver.url, BILLING_SECRET: secret, WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' },
  })

async function toDay({ ctx }: Service, offset: number): Promise<string> {
  await setClockOffset(ctx.db, `${offset} days`)
  await makePartitionsAhead(ctx.db)
  const [row] = await ctx.db.query<{ day: string }>(sql`select service_day() as day`)
  return row?.day ?? ''
}

/** What arrived, each with a valid signature. */
function readPayloads({ received }: Receiver): UsageDayPayload[] {
  return received.map(({ headers, body }) => {
    const header = headers['x-service-signature'] ?? ''
    expect(header).toBe(expectedSignature(header, body, secret))
    return UsageDayPayload.parse(JSON.parse(body))
  })
}

const rowsOf = ({ day, usage }: UsageDayPayload) =>
  usage.map(({ tenant_id, environment, outcome, verifications }) =>
    [day, tenant_id, environment, outcome, verifications].join(' '),
  )

test(
  'each day is sent once it is final, and the sums are the usage export and the creations of the audit log',
  { timeout: 120_000 },
  async () => {
    await using receiver = await startReceiver(reply(204))
    await using service = await startBilled(receiver)
    const { ctx } = service
    const merchants = [await service.tenant(), await service.tenant(), await service.tenant()]
    const [, , leaving] = merchants
    let created = 0
    const first = await toDay(service, 0)
    for (let day = 0; day < 3; day += 1) {
      await toDay(service, day)
      // On the second day nobody creates anything.
      if (day === 1) continue
      for (const merchant of merchants) {
        const wallet = await openWallet(ctx, service.address)
        const live = await merchant.as({ environment: 'live' })
        for (const by of [merchant, merchant, live]) {
          const { body } = await by.post('/v1/verifications', plain)
          created += 1
          if (by === merchant && created % 2 === 0) await wallet.respond(body.wallet_uri)
          if (created % 5 === 0) await by.delete(`/v1/verifications/${body.id}`)
        }
      }
    }
    if (leaving !== undefined) await deleteTenant(ctx, { tenant_id: leaving.tenant_id, name: 'A merchant' })
    const last = await toDay(service, 6)
    // Two workers count.
    await Promise.all([countPastDays(ctx), countPastDays(ctx)])
    await deliverMessages(ctx)

    const payloads = readPayloads(receiver)
    const days = payloads.map(({ day }) => day)
    expect(new Set(days).size).toBe(days.length)
    expect(days).toEqual(expect.arrayContaining([first]))
    expect(payloads.filter(({ usage }) => usage.length === 0).length).toBeGreaterThan(0)
    const exported: string[] = []
    for await (const { day, ...entry } of listUsage(ctx, { from: first, to: last, by_day: true }))
      for (const outcome of ['completed', 'failed', 'declined', 'expired'] as const)
        if (entry[outcome] > 0)
          exported.push([day, entry.tenant_id, entry.environment, outcome, entry[outcome]].join(' '))
    expect(payloads.flatMap(rowsOf).toSorted()).toEqual(exported.toSorted())
    const sent = payloads.flatMap(({ usage }) => usage).reduce((sum, row) => sum + row.verifications, 0)
    let recorded = 0
    for (const { tenant_id } of merchants) {
      await flushAudit(ctx, tenant_id)
      const entries = await readAuditLog(ctx, tenant_id)
      recorded += entries.filter(({ action }) => action === 'verification.created').length
    }
    expect([sent, recorded]).toEqual([created, created])

    // What is final is neither sent again nor changed, whatever happens to its tenants.
    const before = receiver.received.length
    for (const { tenant_id } of merchants.slice(0, 2))
      await deleteTenant(ctx, { tenant_id, name: 'A merchant' })
    await countPastDays(ctx)
    await deliverMessages(ctx)
    expect(receiver.received.length).toBe(before)
  },
)

test('a receiver that fails gets the same rows again, for three days', { timeout: 120_000 }, async () => {
  let status = 500
  await using receiver = await startReceiver((socket, request) => reply(status)(socket, request))
  await using service = await startBilled(receiver)
  const { ctx } = service
  await toDay(service, 0)
  const merchant = await service.tenant()
  await merchant.post('/v1/verifications', plain)
  await toDay(service, 2)
  await countPastDays(ctx)
  await deliverMessages(ctx)
  const sentOnce = receiver.received.length
  expect(sentOnce).toBeGreaterThan(0)
  status = 200
  await setClockOffset(ctx.db, '2 days 5 minutes')
  await deliverMessages(ctx)
  const payloads = readPayloads(receiver).map(({ sent_at: _, ...rest }) => JSON.stringify(rest))
  expect(payloads.slice(sentOnce).toSorted()).toEqual(payloads.slice(0, sentOnce).toSorted())
  const ids = receiver.received.map(({ headers }) => headers['x-service-event-id'])
  expect(new Set(ids).size).toBe(sentOnce)
  expect(receiver.received.at(-1)?.headers['x-service-attempt']).toBe('2')
  expect(usageBackoff_seconds.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(3 * 86_400)
  expect(await ctx.db.query(sql`select 1 as left from webhook_events`)).toEqual([])
})

test('without BILLING_URL nothing is queued', async () => {
  await using service = await startService()
  await toDay(service, 2)
  await countPastDays(service.ctx)
  expect(await service.ctx.db.query(sql`select 1 as queued from webhook_events`)).toEqual([])
})
