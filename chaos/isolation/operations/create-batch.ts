import type { Database } from '../../../apps/service/src/engine/db/open.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { createVerifications } from '../../../apps/service/src/verifications/create/store.ts'
import { newCreation } from '../../../apps/service/test/creation.ts'
import { expectEqual } from '../expect-equal.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** Creates verifications for several tenants in one call, a different number for each: each is charged to its own tenant. */
export async function createInOneBatch({
  service,
  victim,
  otherTenant,
  idleTenant,
}: IsolationFixture): Promise<string[]> {
  const { db } = service.ctx
  const wanted = [victim.merchant, victim.merchant, victim.merchant, otherTenant.merchant]
  const before = await readUsage(db)
  const outcomes = await createVerifications(
    db,
    wanted.map((merchant) => newCreation(service.ctx, merchant)),
  )
  const after = await readUsage(db)
  const more = (of: string) => (after.get(of) ?? 0) - (before.get(of) ?? 0)
  const [days] = await db.query<{ count: number }>(
    sql`select count(*) as count from usage_days where tenant_id = ${idleTenant.tenant_id}`,
  )
  return [
    ...expectEqual(
      'the outcomes',
      outcomes.map(({ outcome }) => outcome),
      wanted.map(() => 'created'),
    ),
    ...expectEqual(
      'the counts',
      [victim, otherTenant].map(({ merchant }) => more(merchant.tenant_id)),
      [3, 1],
    ),
    ...expectEqual('the days of a tenant that slept', [more(idleTenant.tenant_id), days?.count], [0, 0]),
  ]
}

async function readUsage(db: Database): Promise<Map<string, number>> {
  const rows = await db.query<{ tenant_id: string; used: number }>(
    sql`select tenant_id, used from tenant_usage`,
  )
  return new Map(rows.map(({ tenant_id, used }) => [tenant_id, used]))
}
