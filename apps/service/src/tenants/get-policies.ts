import type { Context } from '../context.ts'
import { coalescePerTarget } from '../platform/coalesce.ts'
import type { Database } from '../platform/db/open.ts'
import { readPolicies, type PolicyRow } from './store.ts'

export type Policies = Omit<PolicyRow, 'id'>

/** The tenant's current policies on results. */
export async function getPolicies({ db }: Context, tenantId: string): Promise<Policies> {
  const policies = await findPolicies(db, tenantId)
  if (policies === undefined) throw new Error('the session has no tenant')
  return policies
}

const findPolicies = coalescePerTarget<Database, string, PolicyRow | undefined>({
  maxBatch: 100,
  maxWaiting: 2000,
  async run(db, ids) {
    const found = new Map((await readPolicies(db, ids)).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  },
})
