import type { Merchant } from '../../apps/service/test/service.ts'
import { changedTables, digestOf } from './digest.ts'
import type { World } from './world.ts'

/** What someone does changes no row of anybody else; but for tables in which the act itself has another do something. */
export async function aside(
  { service }: World,
  who: Merchant,
  act: (who: Merchant) => Promise<string[]>,
  besides: readonly string[] = [],
): Promise<string[]> {
  const { db } = service.ctx
  const before = await digestOf(db, who.tenant_id)
  const faults = await act(who)
  const changed = changedTables(before, await digestOf(db, who.tenant_id))
  return [...faults, ...changed.filter((table) => !besides.includes(table)).map(told)]
}

/** What is refused changes no row at all. */
export async function still({ ctx }: World['service'], act: () => Promise<string[]>): Promise<string[]> {
  const before = await digestOf(ctx.db)
  const faults = await act()
  return [...faults, ...changedTables(before, await digestOf(ctx.db)).map(told)]
}

function told(table: string): string {
  return `rows of ${table} changed`
}
