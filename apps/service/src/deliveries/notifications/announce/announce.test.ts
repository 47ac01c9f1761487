import { expect, test } from 'vitest'
import { startAlertService } from '../../../../test/alerts.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { resolveAlert } from '../../../audit/alerts/raise.ts'
import { sql } from '../../../engine/db/sql.ts'
import { endpointAlert } from '../../../../test/alerts.ts'
import { maxAlertsPerHour } from './announce.ts'

const team = [
  { email: 'owner@example.com', role: 'owner' },
  { email: 'admin@example.com', role: 'admin', language: 'de' },
  { email: 'developer@example.com', role: 'developer' },
] as const

test('owners and admins get one mail for each alert, in their language; others get none unless they want it', async () => {
  await using service = await startAlertService()
  const merchant = await service.tenant()
  await service.addMembers(merchant, [...team])
  await service.raise(merchant, 'Shop <b>&')
  await service.raise(merchant, 'Shop <b>&')
  await service.notifyAll()
  const { received } = service.mails
  expect(received.map(({ to }) => String(to[0])).toSorted()).toEqual([
    'admin@example.com',
    'owner@example.com',
  ])
  const english = received.find(({ to }) => to[0] === 'owner@example.com')
  expect(english?.headers['subject']).toBe(
    'Webhooks to Shop <b>& are failing (live environment) – A merchant',
  )
  expect(english?.html).toContain('“Shop &#60;b&#62;&#38;”')
  expect(english?.text).toContain('http://localhost:8080/dashboard/live')
  const german = received.find(({ to }) => to[0] === 'admin@example.com')
  expect(german?.headers['subject']).toBe('Webhooks an Shop <b>& schlagen fehl (Live-Umgebung) – A merchant')
  expect(german?.html).toContain('<html lang="de">')
  expect(german?.text).toContain('Dashboard öffnen')

  const developer = await signIn(service, { ...merchant, role: 'developer', email: 'other@example.com' })
  const before = await developer.call('getAlertChoices')
  expect(before.body).toMatchObject({ mail_available: true, language: 'en' })
  expect(before.body.kinds).toContainEqual({ kind: 'endpoint_failing', wanted: false })
  const changed = await developer.call('changeAlertChoices', {
    body: { kinds: { endpoint_failing: true }, language: 'de' },
  })
  expect(changed.body.kinds).toContainEqual({ kind: 'endpoint_failing', wanted: true })
  expect(changed.body.kinds).toContainEqual({ kind: 'quota', wanted: false })
  received.length = 0
  await service.raise(merchant, 'another')
  await service.notifyAll()
  expect(
    received.filter(({ to }) => to[0] === 'other@example.com').map(({ headers }) => headers['subject']),
  ).toEqual(['Webhooks an another schlagen fehl (Live-Umgebung) – A merchant'])
})

test('a member who wants no alerts of a kind, and a removed member, get no mail', async () => {
  await using service = await startAlertService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  service.mails.received.length = 0
  await owner.call('changeAlertChoices', { body: { kinds: { endpoint_failing: false } } })
  await service.addMembers(merchant, [{ email: 'removed@example.com', role: 'admin' }])
  await service.raise(merchant)
  // Queued, and then removed before it was sent.
  const { announceAlerts } = await import('./announce.ts')
  await announceAlerts(service.ctx)
  await service.ctx.db.execute(sql`delete from members where email = 'removed@example.com'`)
  await service.notifyAll()
  expect(service.mails.attempts.filter((address) => address !== 'owner@example.com')).toEqual([])
  expect(service.mails.received.filter(({ headers }) => headers['subject']?.includes('failing'))).toEqual([])
})

test('wrong choices are refused', async () => {
  await using service = await startAlertService()
  const owner = await signIn(service, await service.tenant())
  for (const body of [
    { kinds: { unknown: true } },
    { kinds: { quota: 'yes' } },
    { language: 'xx' },
    { more: 1 },
  ])
    expect((await owner.call('changeAlertChoices', { body })).status).toBe(400)
  expect((await owner.call('changeAlertChoices', { body: {} })).status).toBe(200)
})

test('nobody is mailed about an alert that was resolved before the mail was due', async () => {
  await using service = await startAlertService()
  const merchant = await service.tenant()
  await service.addMembers(merchant, [...team])
  await service.raise(merchant)
  await resolveAlert(service.ctx.db, endpointAlert(merchant, 'an endpoint'))
  await service.notifyAll()
  expect(service.mails.received).toEqual([])
})

test('more alerts in an hour than a tenant may have come in one digest when the hour ends', async () => {
  await using service = await startAlertService()
  const merchant = await service.tenant()
  await service.addMembers(merchant, [{ email: 'owner@example.com', role: 'owner' }])
  await setClockOffset(service.ctx.db, '0')
  for (let n = 0; n < maxAlertsPerHour + 25; n += 1) await service.raise(merchant, `endpoint ${n}`)
  await service.notifyAll()
  expect(service.mails.received).toHaveLength(maxAlertsPerHour)

  service.mails.received.length = 0
  await setClockOffset(service.ctx.db, '1 hour')
  await service.notifyAll()
  const [digest, ...more] = service.mails.received
  expect(more).toEqual([])
  expect(digest?.headers['subject']).toBe('25 more alerts – A merchant')
  expect(digest?.text).toContain(`- Webhooks to endpoint ${maxAlertsPerHour} are failing (live environment)`)
  expect(digest?.text).toContain('- and 5 more')
  await setClockOffset(service.ctx.db, '2 hours')
  await service.notifyAll()
  expect(service.mails.received).toHaveLength(1)
})

test('one tenant’s alerts do not use up the rate of another', async () => {
  await using service = await startAlertService()
  const [noisy, quiet] = [await service.tenant(), await service.tenant()]
  await service.addMembers(noisy, [{ email: 'noisy@example.com', role: 'owner' }])
  await service.addMembers(quiet, [{ email: 'quiet@example.com', role: 'owner' }])
  for (let n = 0; n < maxAlertsPerHour + 5; n += 1) await service.raise(noisy, `endpoint ${n}`)
  await service.raise(quiet)
  await service.notifyAll()
  expect(service.mails.received.filter(({ to }) => to[0] === 'quiet@example.com')).toHaveLength(1)
})

test('two workers that announce at the same time send one mail', async () => {
  await using service = await startAlertService()
  const merchant = await service.tenant()
  await service.addMembers(merchant, [{ email: 'owner@example.com', role: 'owner' }])
  const { announceAlerts } = await import('./announce.ts')
  for (let n = 0; n < 5; n += 1) {
    await service.raise(merchant, `endpoint ${n}`)
    await Promise.all(Array.from({ length: 4 }, () => announceAlerts(service.ctx)))
  }
  await Promise.all([service.notifyAll(), service.notifyAll()])
  expect(service.mails.received).toHaveLength(5)
})
