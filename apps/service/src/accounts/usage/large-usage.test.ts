import { expect, test } from 'vitest'
import { newCreation } from '../../../test/creation.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { startService, testEnvironment, type Merchant, type Service } from '../../../test/service.ts'
import { flushAudit } from '../../audit/advance.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { countPastDays } from '../../verifications/figures/count-past-days.ts'
import { createVerifications } from '../../verifications/create/store.ts'

const perDay = 50_000
const days = 20
const tenants = 100
const batchSize = 250
const limits = { statement_ms: 300_000 }

const outcomes = ['completed', 'failed', 'expired'] as const
type Outcome = (typeof outcomes)[number]
type Environment = 'test' | 'live'
type Counted = Record<Outcome | 'created', number>

/** What the load did, counted by itself: by tenant, day and environment. */
function openLedger() {
  const counts = new Map<string, Counted>()
  return {
    counts,
    add(tenant_id: string, day: string, environment: Environment, outcome: Outcome): void {
      const key = `${tenant_id} ${day} ${environment}`
      const counted = counts.get(key) ?? { created: 0, completed: 0, failed: 0, expired: 0 }
      counted.created += 1
      counted[outcome] += 1
      counts.set(key, counted)
    },
  }
}

type Ledger = ReturnType<typeof openLedger>

/** A day of creations by the function that the service calls, in batches as it makes them. Of three, one is completed, one fails, one expires. */
async function createDay({ ctx }: Service, merchants: readonly Merchant[], ledger: Ledger): Promise<void> {
  // A process creates for the date that it last learnt from the database.
  await merchants[0]?.post('/v1/verifications', { template: 'age_over_18' })
  const [today] = await ctx.db.query<{ day: string }>(sql`select service_day() as day`)
  const day = today?.day ?? ''
  ledger.add(merchants[0]?.tenant_id ?? '', day, 'test', 'expired')
  for (let from = 1; from < perDay; from += batchSize) {
    const wanted = Array.from({ length: Math.min(batchSize, perDay - from) }, (_, n) => {
      const at = from + n
      const merchant = merchants[at % tenants]
      if (merchant === undefined) throw new Error('there are fewer tenants')
      const environment: Environment = at % 1000 < 900 ? 'live' : 'test'
      const creation = newCreation(ctx, merchant)
      return {
        ...creation,
        stored: { ...creation.stored, environment },
        environment,
        outcome: outcomes[at % 3] ?? 'expired',
      }
    })
    const created = await createVerifications(ctx.db, wanted)
    if (created.some(({ outcome }) => outcome !== 'created')) throw new Error('a creation was refused')
    for (const { tenant_id, environment, outcome } of wanted) ledger.add(tenant_id, day, environment, outcome)
    const idsOf = (wantedOutcome: Outcome) =>
      wanted.flatMap(({ outcome, stored }) => (outcome === wantedOutcome ? [stored.id] : []))
    await ctx.db.execute(sql`
      update verification_sessions
      set status = case when id = any (${idsOf('completed')}::text[]) then 'completed' else 'failed' end,
        error = case when id = any (${idsOf('failed')}::text[]) then '{"code": "issuer_untrusted", "message": "x"}'::jsonb end,
        responded_at = created_at + interval '1 minute'
      where day = ${day} and id = any (${[...idsOf('completed'), ...idsOf('failed')]}::text[])`)
  }
}

test(
  'a million verifications of a month are exported within seconds, equal to the ledger of the load and to the audit log',
  { timeout: 1_800_000 },
  async () => {
    await using database = await createTestDatabase()
    await using service = await startService({
      database: { url: database.url, [Symbol.asyncDispose]: async () => {} },
    })
    const { ctx } = service
    const merchants: Merchant[] = []
    for (let n = 0; n < tenants; n += 1) merchants.push(await service.tenant())
    const ledger = openLedger()
    for (let day = 0; day < days; day += 1) {
      await setClockOffset(ctx.db, `${day} days`)
      await makePartitionsAhead(ctx.db)
      await createDay(service, merchants, ledger)
    }
    await ctx.db.transaction((tx) => tx.execute(sql`analyze verification_sessions`), limits)
    await setClockOffset(ctx.db, `${days + 1} days`)
    await makePartitionsAhead(ctx.db)
    const [period] = await ctx.db.query<{ from: string; to: string }>(
      sql`select service_day() - ${days + 1}::integer as "from", service_day() - 2 as "to"`,
    )
    const exportUsage = async () => {
      const began = performance.now()
      const { stdout, status } = await runCommand(
        ['admin', 'usage', '--from', period?.from ?? '', '--to', period?.to ?? '', '--json', '--days'],
        testEnvironment(database.url),
      )
      const rows: (Counted & { tenant_id: string; from: string; environment: string; final: boolean })[] =
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      const counts = rows.map(
        ({ tenant_id, from, environment, created, completed, failed, expired }) =>
          [`${tenant_id} ${from} ${environment}`, { created, completed, failed, expired }] as const,
      )
      return {
        status,
        counts: new Map(counts),
        final: new Set(rows.map((row) => row.final)),
        ms: performance.now() - began,
      }
    }

    const uncounted = await exportUsage()
    await countPastDays(ctx)
    const counted = await exportUsage()
    await flushAll(service)
    const recorded = await ctx.db.transaction(
      (tx) =>
        tx.query<{ tenant_id: string; created: number }>(sql`
          select tenant_id, count(*) as created from audit_entries where action = 'verification.created' group by 1`),
      limits,
    )
    console.log(
      `usage of ${perDay * days}: uncounted ${Math.round(uncounted.ms)} ms, counted ${Math.round(counted.ms)} ms`,
    )

    const load = Array.from(ledger.counts.values(), ({ created }) => created).reduce((a, b) => a + b, 0)
    expect(load).toBe(perDay * days)
    expect([uncounted.status, counted.status]).toEqual([0, 0])
    expect(uncounted.counts).toEqual(ledger.counts)
    expect(counted.counts).toEqual(ledger.counts)
    expect([uncounted.final, counted.final]).toEqual([new Set([false]), new Set([true])])
    expect(new Map(recorded.map(({ tenant_id, created }) => [tenant_id, created]))).toEqual(
      sumByTenant(ledger),
    )
    expect(uncounted.ms).toBeLessThan(60_000)
    expect(counted.ms).toBeLessThan(20_000)
  },
)

/** Chains every entry. One flush stops after some seconds, while a million wait. */
async function flushAll({ ctx }: Service): Promise<void> {
  const isWaiting = async () =>
    (await ctx.db.query(sql`select 1 as waiting from audit_inbox limit 1`)).length > 0
  while (await isWaiting()) await flushAudit(ctx)
}

function sumByTenant({ counts }: Ledger): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [key, { created }] of counts) {
    const tenant_id = key.slice(0, key.indexOf(' '))
    sums.set(tenant_id, (sums.get(tenant_id) ?? 0) + created)
  }
  return sums
}
