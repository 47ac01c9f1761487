import type { Context } from '../context.ts'
import { readChainedSince, readPositions, readPendingActions } from './changes-store.ts'

const bounds = { chained: 200, waiting: 2000 }
/** A transaction may commit after one that took a later number; so far back it is still noticed in the inbox. */
const inboxOverlap = 500

export type AuditFollower = {
  /** The actions told since the last call, for each of these tenants. For one that is asked about first, none. */
  next(tenants: readonly string[]): Promise<Map<string, Set<string>>>
}

/**
 * Follows what happens to tenants. Whatever changes tells the audit log in its own transaction, so that one look there
 * stands for a look everywhere. An entry is seen in the inbox, or in its chain when it was chained before anyone looked.
 */
export function followAudit({ db }: Pick<Context, 'db'>): AuditFollower {
  const ends = new Map<string, number>()
  let inbox = 0
  let known = new Set<number>()

  async function begin(tenants: string[]): Promise<void> {
    const now = await readPositions(db, tenants)
    for (const tenant of tenants) ends.set(tenant, 0)
    for (const { tenant_id, seq } of now.chains) ends.set(tenant_id, seq)
    if (inbox === 0) inbox = now.inbox
  }

  return {
    async next(tenants) {
      for (const tenant of ends.keys()) if (!tenants.includes(tenant)) ends.delete(tenant)
      const before = [...ends.keys()]
      const told = new Map<string, Set<string>>()
      const tell = (tenant: string, action: string) =>
        told.set(tenant, (told.get(tenant) ?? new Set()).add(action))
      if (before.length > 0) {
        const since = Array.from(ends, ([tenant_id, seq]) => ({ tenant_id, seq }))
        const after = Math.max(0, inbox - inboxOverlap)
        const [chained, waiting] = await Promise.all([
          readChainedSince(db, since, bounds.chained),
          readPendingActions(db, { tenants: before, after, limit: bounds.waiting }),
        ])
        for (const { tenant_id, action, seq } of chained) {
          tell(tenant_id, action)
          ends.set(tenant_id, Math.max(ends.get(tenant_id) ?? 0, seq))
        }
        for (const { tenant_id, action, id } of waiting) {
          if (!known.has(id)) tell(tenant_id, action)
          inbox = Math.max(inbox, id)
        }
        known = new Set(waiting.map(({ id }) => id))
      }
      const added = tenants.filter((tenant) => !ends.has(tenant))
      if (added.length > 0) await begin(added)
      return told
    },
  }
}
