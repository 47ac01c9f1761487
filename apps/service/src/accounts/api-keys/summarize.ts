import type { Environment } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { summarizeKeys as readSummary, type KeySummary } from './store.ts'

/** What the overview shows about a tenant's keys, without reading them all. */
export function summarizeKeys(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment; limit: number },
): Promise<KeySummary> {
  return readSummary(db, scope)
}
