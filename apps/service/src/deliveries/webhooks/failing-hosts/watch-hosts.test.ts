import { expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import type { Merchant } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { maxFailingHosts } from '../deliver/queue-store.ts'
import { watchFailingHosts } from './watch-hosts.ts'

type Fixture = Awaited<ReturnType<typeof startDeliveryService>>

const listAlerts = ({ ctx }: Fixture, { tenant_id }: Merchant) =>
  ctx.db.query<{ environment: string; subject: string; open: boolean }>(sql`
    select environment, subject, resolved_at is null as open from alerts
    where tenant_id = ${tenant_id} and kind = 'webhook_url_failing' order by raised_at`)

const listHosts = async ({ ctx }: Fixture, { tenant_id }: Merchant) =>
  (
    await ctx.db.query<{ host: string }>(
      sql`select host from failing_webhook_hosts where tenant_id = ${tenant_id} order by host`,
    )
  ).map(({ host }) => host)

/** Fails for paths that contain `broken`, and accepts everything else. */
const startHost = () =>
  startReceiver((socket, request) => reply(request.line.includes('broken') ? 500 : 204)(socket, request))

test('[ALERT-15] a host of webhook_urls that fails for 30 minutes raises one alert of its tenant, which a success resolves', async () => {
  await using fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '60,1800,3600' })
  await using worker = fixture.startWorker()
  await using receiver = await startHost()
  const broken = receiver.url.replace('/hook', '/broken')
  const host = `127.0.0.1:${receiver.port}`
  const [merchant, other] = [await fixture.tenant(), await fixture.tenant()]

  await fixture.complete(merchant, broken)
  await fixture.complete(other, receiver.url)
  await fixture.waitForAttempts(merchant, 1)
  await fixture.waitForAttempts(other, 1)
  await setClockOffset(fixture.ctx.db, '20 minutes')
  await fixture.makeDue()
  await fixture.waitForAttempts(merchant, 2)
  await watchFailingHosts(fixture.ctx)
  expect(await listAlerts(fixture, merchant)).toEqual([])

  await setClockOffset(fixture.ctx.db, '31 minutes')
  await fixture.makeDue()
  await fixture.waitForAttempts(merchant, 3)
  await Promise.all(Array.from({ length: 4 }, () => watchFailingHosts(fixture.ctx)))
  expect(await listAlerts(fixture, merchant)).toEqual([{ environment: 'test', subject: host, open: true }])
  // The same host works for another tenant, which has no alert and does not resolve this one.
  await fixture.complete(other, receiver.url)
  await fixture.waitForAttempts(other, 2)
  await watchFailingHosts(fixture.ctx)
  expect(await listAlerts(fixture, other)).toEqual([])
  expect(await listAlerts(fixture, merchant)).toMatchObject([{ open: true }])

  await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 4)
  await watchFailingHosts(fixture.ctx)
  expect(await listAlerts(fixture, merchant)).toEqual([{ environment: 'test', subject: host, open: false }])
  expect(await listHosts(fixture, merchant)).toEqual([])
  await worker.stop()
})

test('a host that nothing was sent to for a week is forgotten, and its alert resolved', async () => {
  await using fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1' })
  const merchant = await fixture.tenant()
  await fixture.ctx.db.execute(sql`
    insert into failing_webhook_hosts (tenant_id, environment, host, failing_since, last_failed_at)
    values (${merchant.tenant_id}, 'live', 'shop.example', service_now() - interval '1 hour', service_now())`)
  await watchFailingHosts(fixture.ctx)
  expect(await listAlerts(fixture, merchant)).toMatchObject([{ environment: 'live', open: true }])
  await setClockOffset(fixture.ctx.db, '6 days 23 hours')
  await watchFailingHosts(fixture.ctx)
  expect(await listAlerts(fixture, merchant)).toMatchObject([{ open: true }])
  await setClockOffset(fixture.ctx.db, '7 days')
  await watchFailingHosts(fixture.ctx)
  expect(await listAlerts(fixture, merchant)).toMatchObject([{ open: false }])
})

test('of one tenant a bounded number of hosts is watched, also of those that fail together', async () => {
  await using fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '3600' })
  await using first = await startHost()
  await using second = await startHost()
  const urls = [first, second].map(({ url }) => url.replace('/hook', '/broken'))
  const merchant = await fixture.tenant()
  const other = await fixture.tenant()
  await fixture.ctx.db.execute(sql`
    insert into failing_webhook_hosts (tenant_id, environment, host, failing_since, last_failed_at)
    select ${merchant.tenant_id}, 'live', place || '.example', service_now(), service_now()
    from generate_series(2, ${maxFailingHosts}::integer) as place`)
  for (const url of urls) {
    await fixture.complete(merchant, url)
    await fixture.complete(other, url)
  }
  await using worker = fixture.startWorker()
  await fixture.waitForAttempts(merchant, 2)
  await fixture.waitForAttempts(other, 2)
  await worker.stop()
  expect(await listHosts(fixture, merchant)).toHaveLength(maxFailingHosts)
  expect(await listHosts(fixture, other)).toHaveLength(2)
})
