import type { Alert, Environment } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type AlertRow, readAlerts } from './store.ts'

const maxResolvedShown = 50

/** A tenant's open alerts, newest first, and then the latest resolved ones. Those of the whole tenant are in both environments. */
export async function listAlerts(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
): Promise<Alert[]> {
  return (await readAlerts(db, { ...scope, resolved: maxResolvedShown })).map(viewAlert)
}

export function viewAlert(row: Omit<AlertRow, 'stage' | 'tenant_id'>): Alert {
  const { id, kind, environment, subject, details, raised_at, resolved_at } = row
  return {
    id,
    kind,
    ...(environment !== null && { environment }),
    subject,
    details,
    raised_at,
    ...(resolved_at !== null && { resolved_at }),
  }
}
