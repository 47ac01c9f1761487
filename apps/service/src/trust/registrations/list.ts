import type { RegistrationList } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { getRegistrationSettings } from './settings.ts'
import { listRegistrations, maxRegistrations } from './store.ts'
import { viewRegistration } from './view.ts'

/** A tenant's registrations, the default first, and its settings for them. */
export async function listTenantRegistrations(
  ctx: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<RegistrationList> {
  const [rows, settings] = await Promise.all([
    listRegistrations(ctx.db, tenant_id),
    getRegistrationSettings(ctx, tenant_id),
  ])
  return { data: rows.map(viewRegistration), settings, limit: maxRegistrations }
}
