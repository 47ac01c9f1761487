import { raiseAlert, resolveAlert } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { alertAfter_minutes, changeBatch, inBatches } from '../endpoints/watch-failing.ts'
import { type FailingHost, deleteHosts, markHosts } from './store.ts'

/** A host that nothing was sent to for this long is no longer watched, and its alert is resolved. */
const forgetAfter_days = 7

/**
 * Raises alerts of hosts that `webhook_url`s name and that fail, for as long as endpoints must fail, and resolves those of hosts that
 * work again. Nothing is disabled: each verification names its own address.
 */
export async function watchFailingHosts({ db }: Pick<Context, 'db'>): Promise<void> {
  await inBatches(
    db,
    (tx) => markHosts(tx, { after_minutes: alertAfter_minutes, limit: changeBatch }),
    raiseFor,
  )
  await inBatches(
    db,
    (tx) => deleteHosts(tx, { after_days: forgetAfter_days, limit: changeBatch }),
    resolveFor,
  )
}

async function raiseFor(tx: Db, { host, failing_since, ...owner }: FailingHost): Promise<void> {
  const details = { host, ...(failing_since !== null && { failing_since }) }
  await raiseAlert(tx, { ...owner, kind: 'webhook_url_failing', subject: host, details })
}

async function resolveFor(tx: Db, { tenant_id, environment, host }: FailingHost): Promise<void> {
  await resolveAlert(tx, { tenant_id, environment, kind: 'webhook_url_failing', subject: host })
}
