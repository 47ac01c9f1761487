import { appendAudit, raiseAlert, resolveAlert } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Database, Db } from '../../../engine/db/index.ts'
import { hostFromUrl } from '../event.ts'
import { disableFailing, markAlerted, unmarkRecovered, type FailingEndpoint } from './store.ts'

/** An endpoint is disabled after this many days without a success, if attempts failed at both ends of that time. */
export const disableAfter_days = 5
/** An alert is raised once attempts have failed for this long, so that a restart of the receiver raises none. */
export const alertAfter_minutes = 30
/** Rows that one transaction changes. */
export const changeBatch = 100

/**
 * Raises alerts of endpoints that fail, resolves those of endpoints that work again, and disables endpoints that no longer work,
 * so that nothing is sent to them for ever.
 */
export async function watchFailingEndpoints({ db }: Pick<Context, 'db'>): Promise<void> {
  await inBatches(
    db,
    (tx) => markAlerted(tx, { after_minutes: alertAfter_minutes, limit: changeBatch }),
    (tx, endpoint) => raiseFor(tx, 'endpoint_failing', endpoint),
  )
  await inBatches(
    db,
    (tx) => unmarkRecovered(tx, changeBatch),
    (tx, endpoint) => resolveAlerts(tx, endpoint),
  )
  await inBatches(
    db,
    (tx) => disableFailing(tx, { after_days: disableAfter_days, limit: changeBatch }),
    recordDisabling,
  )
}

/** Changes rows in short transactions, each with its consequences, until there are none left. */
export async function inBatches<Row>(
  db: Database,
  change: (tx: Db) => Promise<Row[]>,
  consequence: (tx: Db, row: Row) => Promise<void>,
): Promise<void> {
  let changed = changeBatch
  while (changed === changeBatch) {
    changed = await db.transaction(async (tx) => {
      const rows = await change(tx)
      for (const row of rows) await consequence(tx, row)
      return rows.length
    })
  }
}

async function recordDisabling(tx: Db, endpoint: FailingEndpoint): Promise<void> {
  const { id, tenant_id, environment, failing_since } = endpoint
  await appendAudit(tx, {
    action: 'webhook_endpoint.disabled',
    by: { kind: 'service', tenant_id },
    subject: id,
    detail: { environment, failing_since },
  })
  await resolveAlerts(tx, endpoint)
  await raiseFor(tx, 'endpoint_disabled', endpoint)
}

async function raiseFor(
  tx: Db,
  kind: 'endpoint_failing' | 'endpoint_disabled',
  { id, tenant_id, environment, url, description, failing_since }: FailingEndpoint,
): Promise<void> {
  const details = {
    host: hostFromUrl(url),
    ...(description !== '' && { description }),
    ...(failing_since !== null && { failing_since }),
  }
  await raiseAlert(tx, { tenant_id, environment, kind, subject: id, details })
}

/** Resolves the alerts of an endpoint that works again, was enabled by hand, or is gone. */
export async function resolveAlerts(
  tx: Db,
  { id, tenant_id, environment }: Pick<FailingEndpoint, 'id' | 'tenant_id' | 'environment'>,
): Promise<void> {
  for (const kind of ['endpoint_failing', 'endpoint_disabled'] as const)
    await resolveAlert(tx, { tenant_id, environment, kind, subject: id })
}
