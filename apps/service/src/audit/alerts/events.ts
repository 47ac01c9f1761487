import type { Db } from '../../engine/db/index.ts'
import { deleteEvents, holdEvents, readDueEvents, readTenantsWithEvents, type AlertEvent } from './store.ts'

export type { AlertEvent }

/** Tenants with alerts to announce. */
export function listTenantsToAnnounce(db: Db, limit: number): Promise<string[]> {
  return readTenantsWithEvents(db, limit)
}

export type EventsDecision = {
  /** Events that stay until their hour ends. All others are announced or need no announcement. */
  held: readonly AlertEvent[]
  until: string
}

/**
 * Passes a tenant's due events to `announce`, and deletes them in the same transaction, so that each is announced once. The
 * caller makes sure that no other process announces the same tenant's events.
 */
export async function takeEvents(
  tx: Db,
  { tenant_id, limit }: { tenant_id: string; limit: number },
  announce: (events: AlertEvent[]) => Promise<EventsDecision>,
): Promise<void> {
  const events = await readDueEvents(tx, tenant_id, limit)
  const { held, until } = await announce(events)
  const heldIds = new Set(held.map(({ event_id }) => event_id))
  const ids = events.map(({ event_id }) => event_id)
  if (held.length > 0) await holdEvents(tx, { tenant_id, ids: [...heldIds], until })
  await deleteEvents(
    tx,
    tenant_id,
    ids.filter((id) => !heldIds.has(id)),
  )
}
