import { expect, test } from 'vitest'
import { startAlertService } from '../../../test/alerts.ts'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'
import { flushAudit } from '../../audit/advance.ts'
import { installationChain } from '../../audit/append.ts'
import { sql } from '../../engine/db/sql.ts'
import { sweepMembers } from '../members/team.ts'
import { endSupport, getSupportState, takeSupport, viewAsSupport } from './support-access.ts'

const operator = { name: 'Mara', reason: 'They reported failing webhooks.' }

async function actions({ ctx }: Pick<Service, 'ctx'>, tenant_id: string, noun: RegExp) {
  await flushAudit(ctx, tenant_id)
  return (await readAuditLog(ctx, tenant_id))
    .filter(({ action }) => noun.test(action))
    .map(({ action, actor, actor_name, purpose, detail }) => [
      action,
      actor.split(':')[0],
      actor_name,
      purpose,
      detail,
    ])
}

test('an owner lets operators look for 24 hours and ends it; both logs and every member see it', async () => {
  await using service = await startAlertService()
  const { ctx } = service
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const owner = await signIn(service, merchant)
  const auditor = await signIn(service, { ...merchant, role: 'auditor' })
  const admin = await signIn(service, { ...merchant, role: 'admin' })
  await service.notifyAll()
  service.mails.received.length = 0
  const view = () => viewAsSupport(ctx, { tenant_id, operator, what: 'test requests' })
  await expect(view()).rejects.toMatchObject({ code: 'role_not_allowed' })
  expect((await admin.call('grantSupport')).body.error.code).toBe('role_not_allowed')

  expect((await owner.call('grantSupport')).status).toBe(200)

  const shown = (await auditor.call('getMe')).body.support_access
  expect(shown).toMatchObject({ by: 'tenant', name: 'The owner' })
  expect(Date.parse(shown.until) - Date.parse(shown.since)).toBe(86_400_000)
  expect(await getSupportState(ctx, tenant_id)).toMatchObject({ access: shown, may_take: false })
  await service.notifyAll()
  expect(service.mails.received.map(({ text }) => text).join()).toContain('support may look')
  // At most one entry an hour for each thing.
  await view()
  await view()
  await viewAsSupport(ctx, { tenant_id, operator, what: 'live requests' })
  expect((await auditor.call('endSupport')).status).toBe(403)
  expect((await admin.call('endSupport')).status).toBe(200)
  expect((await owner.call('endSupport')).status).toBe(200)
  expect((await auditor.call('getMe')).body).not.toHaveProperty('support_access')
  await expect(view()).rejects.toMatchObject({ code: 'role_not_allowed' })

  expect(await actions(service, tenant_id, /^support/)).toEqual([
    ['support.granted', 'member', 'The owner', undefined, { hours: 24 }],
    ['support.viewed', 'operator', 'Mara', undefined, { what: 'test requests' }],
    ['support.viewed', 'operator', 'Mara', undefined, { what: 'live requests' }],
    ['support.ended', 'member', 'The admin', undefined, undefined],
  ])
  const installation = await actions(service, installationChain, /support/)
  expect(installation.map(([action, actor, name]) => [action, actor, name])).toEqual([
    ['installation.support_granted', 'service', undefined],
    ['installation.support_viewed', 'operator', 'Mara'],
    ['installation.support_viewed', 'operator', 'Mara'],
    ['installation.support_ended', 'service', undefined],
  ])
})

test('it ends by itself, and is forgotten', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  await (await signIn(service, merchant)).call('grantSupport')
  await setClockOffset(service.ctx.db, '24 hours 1 second')
  expect(await getSupportState(service.ctx, merchant.tenant_id)).not.toHaveProperty('access')
  await sweepMembers(service.ctx)
  expect(await service.ctx.db.query(sql`select 1 as row from support_access`)).toEqual([])
})

test('an operator takes it only where the installation allows that, with a reason that every member reads', async () => {
  await using service = await startService()
  await using open = await startService({ environment: { SUPPORT_ACCESS: 'reason' } })
  const refused = takeSupport(service.ctx, { tenant_id: (await service.tenant()).tenant_id, operator })
  await expect(refused).rejects.toMatchObject({ code: 'role_not_allowed' })
  await expect(takeSupport(open.ctx, { tenant_id: crypto.randomUUID(), operator })).rejects.toMatchObject({
    code: 'not_found',
  })

  const merchant = await open.tenant()
  const { tenant_id } = merchant
  const auditor = await signIn(open, { ...merchant, role: 'auditor' })
  await takeSupport(open.ctx, { tenant_id, operator })
  expect((await auditor.call('getMe')).body.support_access).toMatchObject({
    by: 'operator',
    name: 'Mara',
    reason: operator.reason,
  })
  expect(await getSupportState(open.ctx, tenant_id)).toMatchObject({ may_take: true })
  await endSupport(open.ctx, { tenant_id, operator })
  expect(await actions(open, tenant_id, /^support/)).toEqual([
    ['support.taken', 'operator', 'Mara', operator.reason, { hours: 24 }],
    ['support.ended', 'operator', 'Mara', undefined, undefined],
  ])
  expect((await actions(open, installationChain, /support/)).map(([action]) => action)).toEqual([
    'installation.support_taken',
    'installation.support_ended',
  ])
})
