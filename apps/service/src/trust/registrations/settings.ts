import type { RegistrationSettings } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { putSettings, readSettings } from './store.ts'

const defaults: RegistrationSettings = { encoding: 'base64url', policy: 'warn' }

/** How a tenant's requests carry registrations, and what happens when a query asks for more than its registration covers. */
export async function getRegistrationSettings(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<RegistrationSettings> {
  return (await readSettings(db, tenant_id)) ?? defaults
}

type SetRegistrationSettings = { by: NewAuditEntry['by'] } & {
  [Name in keyof RegistrationSettings]?: RegistrationSettings[Name] | undefined
}

/** Changes the settings for new sessions. Absent members stay unchanged. */
export async function setRegistrationSettings(
  { db }: Pick<Context, 'db'>,
  { by, encoding, policy }: SetRegistrationSettings,
): Promise<void> {
  const { tenant_id } = by
  const change = { ...(encoding !== undefined && { encoding }), ...(policy !== undefined && { policy }) }
  await db.transaction(async (tx) => {
    if (!(await putSettings(tx, { tenant_id, ...change })))
      throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await appendAudit(tx, { action: 'registration.settings_changed', by, detail: change })
  })
}
