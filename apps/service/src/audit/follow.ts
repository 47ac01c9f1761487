import type { Context } from '../engine/context.ts'
import { readChainedSince, readPositions, readPendingActions } from './changes-store.ts'

const bounds = { chained: 200, pending: 2000 }
/** Transactions may commit out of id order, so this many earlier ids of the inbox are read again. */
const inboxOverlap = 500

export type AuditFollower = {
  /** The actions of each tenant since the last call. A tenant's first call returns none. */
  next(tenants: readonly string[]): Promise<Map<string, Set<string>>>
}

/**
 * Watches tenants for changes. Every change has an audit entry in its own transaction, so reading the audit log replaces
 * reading every table. An entry is found in the inbox, or in its chain if it was chained before the next call.
 */
export function followAudit({ db }: Pick<Context, 'db'>): AuditFollower {
  const positions = new Map<string, number>()
  let lastInboxId = 0
  let seen = new Set<number>()

  async function startFollowing(tenants: string[]): Promise<void> {
    const now = await readPositions(db, tenants)
    for (const tenant of tenants) positions.set(tenant, 0)
    for (const { tenant_id, seq } of now.chains) positions.set(tenant_id, seq)
    if (lastInboxId === 0) lastInboxId = now.inbox
  }

  return {
    async next(tenants) {
      for (const tenant of positions.keys()) if (!tenants.includes(tenant)) positions.delete(tenant)
      const followed = [...positions.keys()]
      const actions = new Map<string, Set<string>>()
      const addAction = (tenant: string, action: string) =>
        actions.set(tenant, (actions.get(tenant) ?? new Set()).add(action))
      if (followed.length > 0) {
        const since = Array.from(positions, ([tenant_id, seq]) => ({ tenant_id, seq }))
        const after = Math.max(0, lastInboxId - inboxOverlap)
        const [chained, pending] = await Promise.all([
          readChainedSince(db, since, bounds.chained),
          readPendingActions(db, { tenants: followed, after, limit: bounds.pending }),
        ])
        for (const { tenant_id, action, seq } of chained) {
          addAction(tenant_id, action)
          positions.set(tenant_id, Math.max(positions.get(tenant_id) ?? 0, seq))
        }
        for (const { tenant_id, action, id } of pending) {
          if (!seen.has(id)) addAction(tenant_id, action)
          lastInboxId = Math.max(lastInboxId, id)
        }
        seen = new Set(pending.map(({ id }) => id))
      }
      const added = tenants.filter((tenant) => !positions.has(tenant))
      if (added.length > 0) await startFollowing(added)
      return actions
    },
  }
}
