import { type ChangeDevice, type Role, may } from '@vidimus/contract'
import { findRole, lockMaker, requireUnsealed } from '../accounts/index.ts'
import { appendAudit } from '../audit/index.ts'
import { type Principal, Refusal } from '../engine/basics/index.ts'
import {
  type TemplateContext,
  findDisclosingTemplate,
  keepTemplates,
  requireTemplates,
} from '../templates/index.ts'
import { hashPin } from './till/pin.ts'
import { revokedOrMissing } from './revoke-device.ts'
import { type DeviceRow, updateDevice } from './store.ts'

/** Renames a device, or changes its templates, its PIN, its purpose or whether its screen stays on. All apply from its next request on. */
export async function changeDevice(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  by: Principal,
  { id, pin, ...change }: ChangeDevice & { id: string },
): Promise<DeviceRow> {
  const { tenant_id } = by
  const keys = change.allowed_templates ?? []
  await requireTemplates(ctx, by, keys)
  const pin_hash = pin === undefined || pin === null ? pin : await hashPin(id, pin)
  const disclosing = await findDisclosingTemplate(ctx, { tenant_id, keys })
  return ctx.db.transaction(async (tx) => {
    requireReadable((await lockMaker(tx, by, 'manage_devices')).role, disclosing)
    if (disclosing !== undefined) await requireUnsealed(tx, by, tillCannotShow(disclosing))
    await keepTemplates(tx, { tenant_id, keys })
    const device = await updateDevice(tx, by, { id, pin_hash, ...change })
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
      // A name and a purpose are texts of the merchant's, which could name a person.
      detail: {
        renamed: change.name !== undefined,
        ...(change.allowed_templates !== undefined && { allowed_templates: change.allowed_templates }),
        ...(change.keep_awake !== undefined && { keep_awake: change.keep_awake }),
        ...(pin !== undefined && { pin: pin === null ? 'removed' : 'set' }),
        ...(change.purpose !== undefined && { purpose: change.purpose === null ? 'removed' : 'set' }),
      },
    })
    return device
  })
}

/** Why a till may not use a template while results are sealed. */
export function tillCannotShow(template: string): string {
  return `A till cannot show what ${template} discloses, such as a photo. Choose templates that only answer yes or no.`
}

/**
 * Refuses a template that discloses claims to a device whose maker has a role that may not read them: who pairs a device sees what it
 * sees. Without a role, the maker is an operator. A template may disclose more later, so a device is checked again when it asks.
 */
export function requireReadable(
  role: Role | undefined,
  disclosing: string | undefined,
  advice = 'Choose templates that only answer yes or no, or ask a developer, an admin or an owner.',
): void {
  if (disclosing === undefined || role === undefined || may(role, 'read_claims')) return
  throw new Refusal(
    'role_not_allowed',
    `The template ${disclosing} shows claims, which the role ${role} may not read. ${advice}`,
  )
}
