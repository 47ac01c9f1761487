import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { setClockOffset } from '../../apps/service/test/database/clock.ts'
import { startIdentityProvider } from '../../apps/service/test/sign-in/identity-provider.ts'
import { newMerchant, startService, type Merchant, type Service } from '../../apps/service/test/service.ts'
import { prepareDigests } from './digest.ts'
import { addDoubles } from './doubles.ts'
import { create, settle, type Household } from './household.ts'

export type World = {
  service: Service
  victim: Household
  stranger: Household
  /** Tenants whose members and invitations have the ids of the stranger's. */
  doubles: readonly string[]
  /** A tenant whose last creation was yesterday: whatever another does, its day is not turned. */
  sleeper: Merchant
  /** A tenant that has not done anything yet. */
  newcomer: Merchant
} & AsyncDisposable

/** A world that is made once and can be entered again and again, each time as it was when it was made. */
export type Made = { enter(): Promise<World> } & AsyncDisposable

/** So far the clock is ahead: what lives for a minute has lapsed. */
const ahead_ms = 61_000

export async function makeWorld(): Promise<Made> {
  const provider = await startIdentityProvider('http://localhost:8080')
  const environment = {
    ...provider.environment,
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
  }
  const made = await createTestDatabase()
  const there = { address: '' }
  const people = await (async () => {
    await using service = await startService({
      environment,
      database: { url: made.url, [Symbol.asyncDispose]: async () => {} },
    })
    there.address = service.address
    return await populate(service, () => there.address)
  })()
  const made_at = Date.now()
  return {
    async enter() {
      const service = await startService({
        environment,
        database: await createTestDatabase({ copyOf: made.name }),
      })
      // As if no time had passed: nobody's token lapses while others are looked at.
      await setClockOffset(service.ctx.db, `${ahead_ms - (Date.now() - made_at)} milliseconds`)
      there.address = service.address
      const again = ({ listed, webhook_secrets, ...household }: Household): Household => ({
        ...household,
        ...structuredClone({ listed, webhook_secrets }),
      })
      return {
        ...people,
        victim: again(people.victim),
        stranger: again(people.stranger),
        service,
        [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
      }
    },
    async [Symbol.asyncDispose]() {
      provider.close()
      await made[Symbol.asyncDispose]()
    },
  }
}

async function populate({ ctx }: Service, address: () => string) {
  const place = { ctx, address }
  await prepareDigests(ctx.db)
  const sleeper = await newMerchant(ctx, address)
  await create(sleeper)
  await ctx.db.execute(sql`
    update tenant_usage set day = day - 1, last_created_at = last_created_at - interval '1 day'
    where tenant_id = ${sleeper.tenant_id}`)
  const victim = await settle(place, 'The victim')
  const stranger = await settle(place, 'The stranger')
  const newcomer = await newMerchant(ctx, address)
  await ctx.db.execute(sql`
    insert into usage_days (tenant_id, day, used) values (${victim.merchant.tenant_id}, service_day() - 2, 5)`)
  const doubles = await addDoubles(ctx.db, stranger)
  return { sleeper, victim, stranger, newcomer, doubles }
}
