import type { Context } from '../context.ts'
import { listDevicesWithTemplate } from '../devices/list-with-template.ts'
import type { Db } from '../platform/db/open.ts'
import type { Member } from '../platform/principal.ts'
import { Refusal } from '../platform/refusal.ts'
import { deleteTemplate } from '../templates/delete.ts'

const maxNamed = 3

/** Deletes a template that no device needs (TPL-7). */
export async function deleteUnneededTemplate(
  { db }: Pick<Context, 'db'>,
  by: Member,
  key: string,
): Promise<void> {
  await db.transaction((tx) =>
    deleteTemplate(tx, {
      by,
      key,
      requireUnused: () => requireNoDevice(tx, { tenant_id: by.tenant_id, key }),
    }),
  )
}

async function requireNoDevice(tx: Db, template: { tenant_id: string; key: string }): Promise<void> {
  const devices = await listDevicesWithTemplate(tx, { ...template, limit: maxNamed + 1 })
  if (devices.length === 0) return
  const named = devices.slice(0, maxNamed).map(({ name, environment }) => `“${name}” (${environment})`)
  const all = [...named, ...(devices.length > maxNamed ? ['others'] : [])].join(', ')
  throw new Refusal(
    'template_in_use',
    `Devices may use this template: ${all}. Change their templates or revoke them first.`,
  )
}
