import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openTestStores } from '../../../test/database/stores.ts'
import { sql } from '../../engine/db/sql.ts'
import { listAlerts } from './list-alerts.ts'
import { raiseAlert, resolveAlert, type RaiseAlert } from './raise.ts'
import { maxOpenAlerts, maxResolvedAlerts } from './store.ts'
import { sweepAlerts } from './sweep.ts'

async function openAlerts() {
  const stores = await openTestStores()
  const { db } = stores
  const [tenant] = await db.query<{ id: string }>(
    sql`insert into tenants (name, plan) values ('A merchant', 'starter') returning id`,
  )
  const tenant_id = tenant?.id ?? ''
  const alert: RaiseAlert = {
    tenant_id,
    environment: 'test',
    kind: 'endpoint_failing',
    subject: 'an endpoint',
    details: { host: 'shop.example' },
  }
  return {
    db,
    tenant_id,
    alert,
    list: () => listAlerts({ db }, { tenant_id, environment: 'test' }),
    events: () =>
      db.query<{ type: string; stage: number }>(sql`select type, stage from alert_events order by id`),
    [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
  }
}

test('an alert is open once for its kind and subject, however many raise it at the same time', async () => {
  await using alerts = await openAlerts()
  const { db, alert } = alerts
  const raised = await Promise.all(
    Array.from({ length: 10 }, () => db.transaction((tx) => raiseAlert(tx, alert))),
  )
  expect(raised.filter(Boolean)).toHaveLength(1)
  expect(await alerts.list()).toMatchObject([{ kind: 'endpoint_failing', details: { host: 'shop.example' } }])
  expect(await alerts.events()).toEqual([{ type: 'raised', stage: 0 }])

  await raiseAlert(db, { ...alert, subject: 'another endpoint' })
  await raiseAlert(db, { ...alert, environment: 'live' })
  await raiseAlert(db, { ...alert, environment: null })
  await raiseAlert(db, { ...alert, environment: null })
  expect(await alerts.list()).toHaveLength(3)
})

test('an alert is stored with the change that causes it, or not at all', async () => {
  await using alerts = await openAlerts()
  const rolledBack = alerts.db.transaction(async (tx) => {
    await raiseAlert(tx, alerts.alert)
    throw new Error('rolled back on purpose')
  })
  await expect(rolledBack).rejects.toThrow('on purpose')
  expect(await alerts.list()).toEqual([])
  expect(await alerts.events()).toEqual([])
})

test('a resolved alert can be raised again, unless it is raised only once', async () => {
  await using alerts = await openAlerts()
  const { db, alert } = alerts
  expect(await resolveAlert(db, alert)).toBe(false)
  await raiseAlert(db, alert)
  expect(await resolveAlert(db, alert)).toBe(true)
  expect(await resolveAlert(db, alert)).toBe(false)
  expect(await raiseAlert(db, { ...alert, once: true })).toBe(false)
  expect(await raiseAlert(db, alert)).toBe(true)
  expect((await alerts.list()).map(({ resolved_at }) => resolved_at === undefined)).toEqual([true, false])
})

test('a higher stage of an open alert is announced again, a lower or equal one is not', async () => {
  await using alerts = await openAlerts()
  const { db, alert } = alerts
  for (const stage of [1, 1, 3, 2, 3]) await raiseAlert(db, { ...alert, stage })
  expect(await alerts.events()).toEqual([
    { type: 'raised', stage: 1 },
    { type: 'raised', stage: 3 },
  ])
  expect(await alerts.list()).toHaveLength(1)
})

test('a tenant has a bounded number of open and of resolved alerts', async () => {
  await using alerts = await openAlerts()
  const { db, alert, tenant_id } = alerts
  for (let n = 0; n < maxOpenAlerts; n += 1) await raiseAlert(db, { ...alert, subject: `endpoint ${n}` })
  expect(await raiseAlert(db, { ...alert, subject: 'one too many' })).toBe(false)
  expect(await raiseAlert(db, { ...alert, subject: 'endpoint 0', stage: 1 })).toBe(true)
  expect(await alerts.list()).toHaveLength(maxOpenAlerts)

  const count = async () => (await db.query(sql`select id from alerts where tenant_id = ${tenant_id}`)).length
  await db.execute(sql`
    insert into alerts (tenant_id, kind, subject, stage, details, raised_at, resolved_at)
    select ${tenant_id}, 'quota', n::text, 0, '{}', service_now(), service_now() from generate_series(1, ${maxResolvedAlerts + 20}) n`)
  await sweepAlerts({ db })
  expect(await count()).toBe(maxOpenAlerts + maxResolvedAlerts)
  await setClockOffset(db, '91 days')
  await sweepAlerts({ db })
  expect(await count()).toBe(maxOpenAlerts)
})

test('whatever its texts, raising an alert does not fail; for a deleted tenant it does nothing', async () => {
  await using alerts = await openAlerts()
  const { db, alert } = alerts
  const description = `${'x'.repeat(499)}😀${'y'.repeat(100_000)}`
  await raiseAlert(db, { ...alert, kind: 'endpoint_failing', details: { host: 'shop.example', description } })
  expect(JSON.stringify(await alerts.list()).length).toBeLessThan(2000)
  expect(await raiseAlert(db, { ...alert, tenant_id: '00000000-0000-4000-8000-000000000000' })).toBe(false)
})
