import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { setClockOffset } from '../../apps/service/test/database/clock.ts'
import { startIdentityProvider } from '../../apps/service/test/sign-in/identity-provider.ts'
import { newMerchant, startService, type Merchant, type Service } from '../../apps/service/test/service.ts'
import { prepareDigests } from './digest.ts'
import { addTenantsWithSameIds } from './doubles.ts'
import { createVerification, createTenantFixture, type TenantFixture } from './household.ts'

export type IsolationFixture = {
  service: Service
  victim: TenantFixture
  otherTenant: TenantFixture
  /** Tenants whose members and invitations have the ids of the stranger's. */
  duplicateTenants: readonly string[]
  /** A tenant whose last creation was yesterday: whatever another does, its day is not turned. */
  idleTenant: Merchant
  /** A tenant that has not done anything yet. */
  newTenant: Merchant
} & AsyncDisposable

/** A world that is made once and can be entered again and again, each time as it was when it was made. */
export type FixtureTemplate = { open(): Promise<IsolationFixture> } & AsyncDisposable

/** So far the clock is ahead: what lives for a minute has lapsed. */
const ahead_ms = 61_000

export async function createFixtureTemplate(): Promise<FixtureTemplate> {
  const provider = await startIdentityProvider('http://localhost:8080')
  const environment = {
    ...provider.environment,
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
  }
  const templateDatabase = await createTestDatabase()
  const currentService = { address: '' }
  const tenants = await (async () => {
    await using service = await startService({
      environment,
      database: { url: templateDatabase.url, [Symbol.asyncDispose]: async () => {} },
    })
    currentService.address = service.address
    return await createTenants(service, () => currentService.address)
  })()
  const createdAt_ms = Date.now()
  return {
    async open() {
      const service = await startService({
        environment,
        database: await createTestDatabase({ copyOf: templateDatabase.name }),
      })
      // As if no time had passed: nobody's token lapses while others are looked at.
      await setClockOffset(service.ctx.db, `${ahead_ms - (Date.now() - createdAt_ms)} milliseconds`)
      currentService.address = service.address
      const copyTenant = ({ listed, webhook_secrets, ...tenant }: TenantFixture): TenantFixture => ({
        ...tenant,
        ...structuredClone({ listed, webhook_secrets }),
      })
      return {
        ...tenants,
        victim: copyTenant(tenants.victim),
        otherTenant: copyTenant(tenants.otherTenant),
        service,
        [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
      }
    },
    async [Symbol.asyncDispose]() {
      provider.close()
      await templateDatabase[Symbol.asyncDispose]()
    },
  }
}

async function createTenants({ ctx }: Service, address: () => string) {
  const testService = { ctx, address }
  await prepareDigests(ctx.db)
  const idleTenant = await newMerchant(ctx, address)
  await createVerification(idleTenant)
  await ctx.db.execute(sql`
    update tenant_usage set day = day - 1, last_created_at = last_created_at - interval '1 day'
    where tenant_id = ${idleTenant.tenant_id}`)
  const victim = await createTenantFixture(testService, 'The victim')
  const otherTenant = await createTenantFixture(testService, 'The stranger')
  const newTenant = await newMerchant(ctx, address)
  await ctx.db.execute(sql`
    insert into usage_days (tenant_id, day, used) values (${victim.merchant.tenant_id}, service_day() - 2, 5)`)
  const duplicateTenants = await addTenantsWithSameIds(ctx.db, otherTenant)
  return { idleTenant, victim, otherTenant, newTenant, duplicateTenants }
}
