import type { Context } from '../../../engine/context.ts'
import { readLatestAttemptTimes } from './log-store.ts'

/** The time of each tenant's latest attempt in any environment. */
export async function readLatestAttempts(
  { db }: Pick<Context, 'db'>,
  tenants: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readLatestAttemptTimes(db, tenants)
  return new Map(rows.map(({ tenant_id, at }) => [tenant_id, at]))
}
