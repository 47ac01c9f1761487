import type { Merchant } from '../../apps/service/test/service.ts'
import { changedTables, digestTables } from '../../apps/service/test/database/table-digests.ts'
import type { IsolationFixture } from './fixture/isolation-fixture.ts'

/** Runs an operation of one tenant and reports the tables in which rows of other tenants changed, apart from `exceptTables`. */
export async function expectOthersUnchanged(
  { service }: IsolationFixture,
  tenant: Merchant,
  act: (tenant: Merchant) => Promise<string[]>,
  exceptTables: readonly string[] = [],
): Promise<string[]> {
  const { db } = service.ctx
  const before = await digestTables(db, tenant.tenant_id)
  const faults = await act(tenant)
  const changed = changedTables(before, await digestTables(db, tenant.tenant_id))
  return [...faults, ...changed.filter((table) => !exceptTables.includes(table)).map(describeChange)]
}

/** Runs an operation that must be refused and reports the tables that changed. */
export async function expectUnchanged(
  { ctx }: IsolationFixture['service'],
  act: () => Promise<string[]>,
): Promise<string[]> {
  const before = await digestTables(ctx.db)
  const faults = await act()
  return [...faults, ...changedTables(before, await digestTables(ctx.db)).map(describeChange)]
}

function describeChange(table: string): string {
  return `rows of ${table} changed`
}
