import { isErasureTemplate } from '../accounts/index.ts'
import type { Context } from '../engine/context.ts'
import { listDevicesWithTemplate } from '../devices/index.ts'
import { listClientsWithTemplate, listLinksWithTemplate } from '../holder/index.ts'
import type { Db } from '../engine/db/index.ts'
import { type KeyPrincipal, type Member, Refusal } from '../engine/basics/index.ts'
import { deleteTemplate } from '../templates/index.ts'

export const maxNamed = 3

/** Deletes a template that no device, no OpenID client, no verification link and no page for erasures needs. */
export async function deleteUnneededTemplate(
  { db }: Pick<Context, 'db'>,
  by: Member | KeyPrincipal,
  key: string,
): Promise<void> {
  await db.transaction((tx) =>
    deleteTemplate(tx, {
      by,
      key,
      requireUnused: async () => {
        await requireNoDevice(tx, { tenant_id: by.tenant_id, key })
        await requireNoClient(tx, { tenant_id: by.tenant_id, key })
        await requireNoLink(tx, { tenant_id: by.tenant_id, key })
        await requireNoErasurePage(tx, { tenant_id: by.tenant_id, key })
      },
    }),
  )
}

/** Throws if a device may use the template. */
export async function requireNoDevice(tx: Db, template: { tenant_id: string; key: string }): Promise<void> {
  const devices = await listDevicesWithTemplate(tx, { ...template, limit: maxNamed + 1 })
  if (devices.length === 0) return
  throw new Refusal(
    'template_in_use',
    `Devices may use this template: ${nameSome(devices)}. Change their templates or revoke them first.`,
  )
}

async function requireNoClient(tx: Db, template: { tenant_id: string; key: string }): Promise<void> {
  const clients = await listClientsWithTemplate(tx, { ...template, limit: maxNamed + 1 })
  if (clients.length === 0) return
  throw new Refusal(
    'template_in_use',
    `OpenID clients may ask with this template: ${nameSome(clients)}. Change their templates or delete them first.`,
  )
}

async function requireNoLink(tx: Db, template: { tenant_id: string; key: string }): Promise<void> {
  const links = await listLinksWithTemplate(tx, { ...template, limit: maxNamed + 1 })
  if (links.length === 0) return
  throw new Refusal(
    'template_in_use',
    `Verification links ask with this template: ${nameSome(links)}. Change their templates or delete them first.`,
  )
}

async function requireNoErasurePage(tx: Db, template: { tenant_id: string; key: string }): Promise<void> {
  if (!(await isErasureTemplate(tx, template))) return
  throw new Refusal(
    'template_in_use',
    'Holders prove with this template who they are when they ask for an erasure. Choose another one in the settings of their page first.',
  )
}

export function nameSome(users: readonly { name: string; environment: string }[]): string {
  const named = users.slice(0, maxNamed).map(({ name, environment }) => `“${name}” (${environment})`)
  return [...named, ...(users.length > maxNamed ? ['others'] : [])].join(', ')
}
