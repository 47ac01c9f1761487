import type { Db } from '../../../apps/service/src/engine/db/open.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import {
  countEnded,
  insertCounts,
  readOutcomes,
  readRange,
} from '../../../apps/service/src/verifications/figures/store.ts'
import { expectEqual } from '../expect-equal.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** Counts the verifications of one tenant in advance, of which the figures of another show nothing. Leaves everything as it was. */
export async function countInAdvance({ service, victim, otherTenant }: IsolationFixture): Promise<string[]> {
  const [victims, others] = [victim, otherTenant].map(({ merchant }) => merchant.tenant_id) as [
    string,
    string,
  ] // two tenants
  const faults: string[] = []
  const done = new Error('rolled back')
  const trial = service.ctx.db.transaction(async (tx) => {
    const { today } = await readRange(tx, 1)
    await insertEnded(tx, { tenant_id: victims, count: 3 })
    await insertEnded(tx, { tenant_id: others, count: 2 })
    const before = { victims: await created(tx, victims), others: await created(tx, others) }
    const check = async (when: string) =>
      faults.push(
        ...expectEqual(
          when,
          { victims: await created(tx, victims), others: await created(tx, others) },
          before,
        ),
      )
    const count = (tenant_id: string) =>
      countEnded(tx, { tenant_id, environment: 'test', min_verifications: 1 })
    faults.push(...expectEqual("the other's ended verifications", await count(others), 2))
    await check('figures after counting')
    await tx.execute(sql`delete from verification_sessions where id = ${`vs_0${victims}1`}`)
    await check("figures after an erasure of the victim's")
    await insertCounts(tx, { tenant_id: victims, day: today })
    const [day] = await tx.query<{ verifications: number }>(sql`
      select sum(verifications)::integer as verifications from outcome_counts
      where tenant_id = ${victims} and environment = 'test' and not by_template and not by_device`)
    faults.push(...expectEqual("the victim's day", day?.verifications, before.victims))
    throw done
  })
  await trial.catch((error: unknown) => {
    if (error !== done) throw error
  })
  return faults
}

async function created(tx: Db, tenant_id: string): Promise<number> {
  const range = await readRange(tx, 7)
  const none = { template: null, device_id: null }
  const { counts } = await readOutcomes(tx, { tenant_id, environment: 'test', ...range }, none)
  return counts.reduce((sum, { verifications }) => sum + verifications, 0)
}

async function insertEnded(
  tx: Db,
  { tenant_id, count }: { tenant_id: string; count: number },
): Promise<void> {
  await tx.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, certificate, created_at, expires_at)
    select service_day(), 'vs_0' || ${tenant_id}::text || number, ${tenant_id}::uuid, 'test', '\\x00',
      service_now() - interval '2 hours' + number * interval '1 second', service_now() - interval '1 hour'
    from generate_series(1, ${count}::integer) as number`)
}
