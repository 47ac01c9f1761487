import type { ChangeDevice } from '@vidimus/contract'
import { appendAudit } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { lockActingMember } from '../members/lock-member.ts'
import type { Principal } from '../platform/principal.ts'
import { keepTemplates } from '../templates/keep.ts'
import { requireTemplates } from '../templates/unknown-template.ts'
import { revokedOrMissing } from './revoked-or-missing.ts'
import { updateDevice, type DeviceRow } from './store.ts'

/** Renames a device or changes its templates. Both apply from its next request on. */
export async function changeDevice(
  { db }: Pick<Context, 'db'>,
  by: Principal,
  { id, ...change }: ChangeDevice & { id: string },
): Promise<DeviceRow> {
  await requireTemplates({ db }, by, change.allowed_templates ?? [])
  return db.transaction(async (tx) => {
    await lockActingMember(tx, by, 'manage_devices')
    await keepTemplates(tx, { tenant_id: by.tenant_id, keys: change.allowed_templates ?? [] })
    const device = await updateDevice(tx, by, { id, ...change })
    if (device === undefined) throw await revokedOrMissing(tx, by, id)
    await appendAudit(tx, {
      action: 'device.changed',
      by,
      subject: id,
      // A name is a text of the merchant's, which could be that of a person.
      detail: {
        renamed: change.name !== undefined,
        ...(change.allowed_templates !== undefined && { allowed_templates: change.allowed_templates }),
      },
    })
    return device
  })
}
