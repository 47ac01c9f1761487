import { expect, test } from 'vitest'
import { deliverMessages, startAlertService } from '../../../test/alerts.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { sql } from '../../engine/db/sql.ts'
import { deliverEvents } from '../../program/worker.ts'
import { announceAlerts } from '../notifications/announce/announce.ts'
import { mailBackoff_seconds } from './send.ts'

const owner = { email: 'owner@example.com', role: 'owner' } as const

async function startWithAlert(...options: Parameters<typeof startAlertService>) {
  const service = await startAlertService(...options)
  const merchant = await service.tenant()
  await service.addMembers(merchant, [owner])
  await service.raise(merchant)
  return {
    ...service,
    merchant,
    queued: () =>
      service.ctx.db.query<{ attempts: number; failure: string | null }>(
        sql`select q.attempt as attempts, m.failure from mails m join webhook_events q on q.verification_id = m.id::text`,
      ),
  }
}

test('a server that defers a mail gets it again later', async () => {
  let status: number | undefined = 451
  await using service = await startWithAlert({ refuse: () => status })
  await service.notifyAll()
  expect(service.mails.received).toEqual([])
  expect(await service.queued()).toEqual([{ attempts: 1, failure: 'deferred 451' }])
  await service.notifyAll()
  expect(service.mails.attempts).toHaveLength(1)

  status = undefined
  await setClockOffset(service.ctx.db, '2 minutes')
  await service.notifyAll()
  expect(service.mails.received).toHaveLength(1)
  expect(await service.queued()).toEqual([])
})

test('a refused mail is not sent again, and neither it nor its address is in the log', async () => {
  await using service = await startWithAlert({ refuse: () => 550 })
  await service.notifyAll()
  expect(await service.queued()).toEqual([])
  expect(service.mails.attempts).toHaveLength(1)
  const text = service.log.join('')
  expect(text).toContain('"failure":"refused","code":"550"')
  expect(text).not.toMatch(/owner@|mallory@|shop[.]example/)
})

test('a mail is given up after its last attempt, or when it is no news any more', async () => {
  await using service = await startWithAlert({ refuse: () => 451 })
  let offset = 0
  for (let n = 0; n <= mailBackoff_seconds.length; n += 1) {
    await service.notifyAll()
    offset += (mailBackoff_seconds[n] ?? 0) * 1.3
    await setClockOffset(service.ctx.db, `${Math.ceil(offset)} seconds`)
  }
  expect(service.mails.attempts).toHaveLength(mailBackoff_seconds.length + 1)
  expect(await service.queued()).toEqual([])

  await service.raise(service.merchant, 'another')
  await service.notifyAll()
  const attempts = service.mails.attempts.length
  await setClockOffset(service.ctx.db, '5 days')
  await service.notifyAll()
  expect(service.mails.attempts).toHaveLength(attempts)
  expect(await service.queued()).toEqual([])
})

test('wrong credentials lose no mail, and are not logged', async () => {
  await using service = await startWithAlert(
    { user: { name: 'vidimus', password: 'correct-horse' } },
    { environment: {} },
  )
  await service.notifyAll()
  expect(service.mails.received).toHaveLength(1)

  await using broken = await startAlertService({ user: { name: 'vidimus', password: 'correct-horse' } })
  const { ctx } = broken
  const { openMailer } = await import('../../engine/mail/open-mailer.ts')
  const server = {
    host: '127.0.0.1',
    port: broken.mails.port,
    tls: 'off',
    user: 'vidimus',
    password: 'battery-staple',
  } as const
  const mailer = openMailer({ server, from: { name: '', address: 'a@b.example' }, client_name: 'localhost' })
  const merchant = await broken.tenant()
  await broken.addMembers(merchant, [owner])
  await broken.raise(merchant)
  await announceAlerts(ctx)
  await deliverMessages({ ...ctx, mailer })
  expect(broken.log.join('')).toContain('"failure":"sign_in"')
  expect(broken.log.join('')).not.toMatch(/battery|horse|staple/)
  await setClockOffset(ctx.db, '2 minutes')
  await deliverMessages(ctx)
  expect(broken.mails.received).toHaveLength(1)
})

test('a mail that was sent but not recorded is sent again with the same Message-ID', async () => {
  await using service = await startWithAlert()
  const { ctx } = service
  await announceAlerts(ctx)
  const failingDb = {
    ...ctx.db,
    execute: async () => {
      throw new Error('the process was killed')
    },
  }
  const stop = new AbortController()
  const delivering = deliverEvents({ ...ctx, db: failingDb }, stop.signal)
  await waitUntil(() => service.log.join('').includes('the process was killed'))
  stop.abort()
  await delivering
  expect(service.mails.received).toHaveLength(1)
  await setClockOffset(ctx.db, '2 minutes')
  await service.notifyAll()
  const ids = service.mails.received.map(({ headers }) => headers['message-id'])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect(await service.queued()).toEqual([])
})

test('a tenant with many mails does not delay those of others', async () => {
  await using service = await startAlertService()
  const [large, small] = [await service.tenant(), await service.tenant()]
  await service.addMembers(
    large,
    Array.from({ length: 50 }, (_, n) => ({ email: `m${n}@large.example`, role: 'owner' as const })),
  )
  await service.addMembers(small, [{ email: 'one@small.example', role: 'owner' }])
  await service.raise(large)
  await service.raise(small)
  await announceAlerts(service.ctx)
  await deliverMessages(service.ctx)
  const order = service.mails.received.map(({ to }) => to[0])
  expect(order).toHaveLength(51)
  expect(order.indexOf('one@small.example')).toBeLessThan(4)
})

test('without a mail server alerts are raised and nothing is queued', async () => {
  await using service = await startAlertService({}, { environment: { SMTP_URL: '', MAIL_FROM: '' } })
  const merchant = await service.tenant()
  await service.addMembers(merchant, [owner])
  await service.raise(merchant)
  await service.notifyAll()
  expect(await service.ctx.db.query(sql`select id from mails`)).toEqual([])
})
