import type { RequestLogSettings, RequestPage } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { isLogOff, updateLogOff } from './store.ts'

export async function getRequestLogSettings(
  { config, db }: Pick<Context, 'config' | 'db'>,
  tenant_id: string,
): Promise<RequestLogSettings> {
  return { enabled: !(await isLogOff(db, tenant_id)), available: config.REQUEST_LOG === 'on' }
}

export async function getRecording(
  ctx: Pick<Context, 'config' | 'db'>,
  tenant_id: string,
): Promise<RequestPage['recording']> {
  const { enabled, available } = await getRequestLogSettings(ctx, tenant_id)
  if (!available) return 'unavailable'
  return enabled ? 'on' : 'off'
}

/** Switches the log of a tenant's requests on or off. What was recorded stays until its seven days are over. */
export async function setRequestLog(
  { db }: Pick<Context, 'db'>,
  { by, enabled }: { by: NewAuditEntry['by']; enabled: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await updateLogOff(tx, by.tenant_id, !enabled)
    if (changed) await appendAudit(tx, { action: 'tenant.request_log_changed', by, detail: { enabled } })
  })
}
