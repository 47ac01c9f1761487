import type { ChangeDevice } from '@vidimus/contract'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'
import { findRole, lockMaker } from '../accounts/index.ts'
import type { Principal } from '../engine/basics/index.ts'
import { findDisclosingTemplate, keepTemplates, requireTemplates } from '../templates/index.ts'
import { requireReadable } from './require-readable.ts'
import { revokedOrMissing } from './revoked-or-missing.ts'
import { updateDevice, type DeviceRow } from './store.ts'

/** Renames a device or changes its templates. Both apply from its next request on. */
export async function changeDevice(
  { db }: Pick<Context, 'db'>,
  by: Principal,
  { id, ...change }: ChangeDevice & { id: string },
): Promise<DeviceRow> {
  const { tenant_id } = by
  const keys = change.allowed_templates ?? []
  await requireTemplates({ db }, by, keys)
  const disclosing = await findDisclosingTemplate({ db }, { tenant_id, keys })
  return db.transaction(async (tx) => {
    requireReadable((await lockMaker(tx, by, 'manage_devices')).role, disclosing)
    await keepTemplates(tx, { tenant_id, keys })
    const device = await updateDevice(tx, by, { id, ...change })
    if (device === undefined) throw await revokedOrMissing(tx, by, id)
    const maker =
      device.registered_by === null ? undefined : await findRole(tx, { tenant_id, id: device.registered_by })
    requireReadable(
      maker,
      disclosing,
      'A member with that role registered this device. Give it a new pairing code first.',
    )
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
