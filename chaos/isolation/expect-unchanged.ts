import type { Merchant } from '../../apps/service/test/service.ts'
import { changedTables, digestTables } from './table-digests.ts'
import type { IsolationFixture } from './fixture/isolation-fixture.ts'

/** What someone does changes no row of anybody else; but for tables in which the act itself has another do something. */
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

/** What is refused changes no row at all. */
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
