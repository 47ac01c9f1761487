import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../apps/service/src/api-keys/create.ts'
import { sql } from '../apps/service/src/platform/db/sql.ts'
import { readTemplate } from '../apps/service/src/templates/get.ts'
import { putTemplate } from '../apps/service/src/templates/put.ts'
import { setBrand } from '../apps/service/src/tenants/brand.ts'
import { pages, type PageName, type DashboardPage } from './rooms.ts'
import type { DashboardFixture } from './world.ts'

/** Puts something of every kind into the test environment. Returns the pages, with those of what is there now. */
export async function seed(fixture: DashboardFixture): Promise<Record<PageName, DashboardPage>> {
  await seedTenant(fixture)
  await seedKeys(fixture)
  await seedDevices(fixture)
  await seedUsage(fixture)
  await using sam = await fixture.signIn({
    name: 'Sam Ortiz',
    email: 'sam.ortiz@harbour.example',
    role: 'support',
  })
  await sam.context.clearCookies()
  await fixture.invite({ email: 'lee@harbour.example', role: 'auditor' })
  const { completed, failed, pending } = await seedVerifications(fixture)
  return {
    ...pages,
    verification: { path: `/verifications/${completed}`, title: 'Verification' },
    'verification-failed': { path: `/verifications/${failed}`, title: 'Verification' },
    'verification-pending': { path: `/verifications/${pending}`, title: 'Verification' },
    delivery: { path: `/webhooks/${completed}/1`, title: 'Delivery' },
    'template-own': { path: '/templates/club_entry', title: 'Club entry' },
  }
}

async function seedTenant({ service: { ctx }, merchant: { tenant_id } }: DashboardFixture): Promise<void> {
  const by = { kind: 'operator', tenant_id } as const
  await ctx.db.execute(sql`update tenants set name = 'Harbour Wines' where id = ${tenant_id}`)
  await ctx.db.execute(sql`update api_keys set name = 'Back office' where tenant_id = ${tenant_id}`)
  await setBrand(ctx, { by, brand: { display_name: 'Harbour Wines', colour: '#7a1f3d' } })
  const template = await readTemplate(ctx, tenant_id, 'age_over_18')
  await putTemplate(ctx, { by, key: 'club_entry', template: { ...template, name: 'Club entry' } })
}

async function seedKeys({ service: { ctx }, merchant: { tenant_id } }: DashboardFixture): Promise<void> {
  const by = { kind: 'operator', tenant_id } as const
  const shop = { by, environment: 'test', name: 'Web shop', lifetime_days: 90 } as const
  await createKey(ctx, { ...shop, scopes: ['verifications:create', 'verifications:read'] })
  const desk = { by, environment: 'test', name: 'Erasure desk' } as const
  await createKey(ctx, { ...desk, scopes: ['verifications:read', 'verifications:delete'] })
}

async function seedDevices({ service, merchant }: DashboardFixture): Promise<void> {
  const register = async (name: string) =>
    (await merchant.post('/v1/devices', { name, allowed_templates: ['age_over_18', 'age_over_16'] })).body
  const unused = await register('Cellar, spare tablet')
  await expirePairing(service, unused.device.id)
  const lost = await register('Terrace, tablet')
  await merchant.delete(`/v1/devices/${lost.device.id}`)
  const { pairing_code } = await register('Door, tablet')
  const { body } = await service.anonymous.post('/v1/devices/enroll', { pairing_code })
  await service.anonymous.post('/v1/devices/token', { refresh_token: body.refresh_token })
  await register('Bar, left till')
}

/** As if the time had passed in which the code could have been used. */
export async function expirePairing({ ctx }: DashboardFixture['service'], id: string): Promise<void> {
  await ctx.db.execute(sql`
    update devices
    set created_at = created_at - interval '1 day', pairing_expires_at = service_now() - interval '1 second'
    where id = ${id}`)
}

/** A month of trade: more at the weekends, and once nearly all that the quota allows. */
async function seedUsage({ service: { ctx }, merchant: { tenant_id } }: DashboardFixture): Promise<void> {
  await ctx.db.execute(sql`
    insert into usage_days (tenant_id, day, used)
    select ${tenant_id}, service_day() - n, 180 + 23 * (n % 5) + 260 * (n % 7 / 5) + 410 * (n % 19 / 18)
    from generate_series(1, 29) as n`)
}

async function seedVerifications(fixture: DashboardFixture) {
  const { webhookReceiver: hook, merchant } = fixture
  const till = { purpose: 'Age check at the till' }
  for (const persona of ['adult', 'mdl_only', 'declines', 'german_pid', 'revoked'])
    await fixture.createAnsweredVerification(persona, till)
  hook.status = 503
  await fixture.createAnsweredVerification('adult', { ...till, webhook_url: hook.url })
  while (hook.bodies.length < 1) await sleep(50)
  hook.status = 200
  const completed = await fixture.createAnsweredVerification('adult', {
    ...till,
    webhook_url: hook.url,
    metadata: { order: 'A-1042' },
  })
  while (hook.bodies.length < 2) await sleep(50)
  const failed = await fixture.createAnsweredVerification('minor', till)
  await backdateCreation(fixture)
  const { body } = await merchant.post('/v1/verifications', { template: 'identity_basic' })
  return { completed, failed, pending: body.id as string } // the contract's
}

/** People take some seconds; those who are made up answer at once. */
async function backdateCreation({
  service: { ctx },
  merchant: { tenant_id },
}: DashboardFixture): Promise<void> {
  await ctx.db.execute(sql`
    update verification_sessions
    set created_at = created_at - interval '1 second' * (4 + ascii(right(id, 1)) % 17)
    where tenant_id = ${tenant_id} and day = service_day()`)
}
