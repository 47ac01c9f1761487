import type { AlertKind } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { raiseAlert, resolveAlert, type AlertKey, type RaiseAlert } from './raise.ts'
import { closeOldAlerts, readOpenAlerts, type AlertRow } from './store.ts'

const pageSize = 500
const beforeFirst = '00000000-0000-0000-0000-000000000000'

/** Makes the open alerts of one kind match `wanted`: raises the missing ones and resolves the others. */
export async function reconcileAlerts(
  tx: Db,
  { kind, wanted }: { kind: AlertKind; wanted: readonly RaiseAlert[] },
): Promise<void> {
  const keys = new Set(wanted.map(keyText))
  await resolveOpen(tx, kind, (alert) => !keys.has(keyText(alert)))
  for (const alert of wanted) await raiseAlert(tx, alert)
}

/** Resolves the open alerts of one kind that the condition is true for. */
export async function resolveOpen(
  tx: Db,
  kind: AlertKind,
  isOver: (alert: AlertRow) => boolean,
): Promise<void> {
  let after = beforeFirst
  for (;;) {
    const page = await readOpenAlerts(tx, { kind, after, limit: pageSize })
    for (const alert of page.filter(isOver)) await resolveAlert(tx, alert)
    if (page.length < pageSize) return
    after = page.at(-1)?.id ?? beforeFirst
  }
}

/** Resolves alerts of a kind that nothing else resolves, after some days. */
export async function resolveOld(db: Db, { kind, days }: { kind: AlertKind; days: number }): Promise<void> {
  while ((await closeOldAlerts(db, { kind, days, limit: pageSize })) >= pageSize) {
    // Resolve the next page.
  }
}

function keyText({ tenant_id, environment, kind, subject }: AlertKey): string {
  return JSON.stringify([tenant_id, environment, kind, subject])
}
