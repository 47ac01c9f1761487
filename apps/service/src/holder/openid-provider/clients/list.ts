import type { Environment, OpenIdClient } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { notFound } from '../../../engine/basics/index.ts'
import { listTemplates } from '../../../templates/index.ts'
import { readClient, readClients, readClientsWithTemplate, type ClientRow } from './store.ts'
import { viewClient } from './view.ts'

type ClientContext = Pick<Context, 'config' | 'db'>

/** A tenant's clients of one or both environments, newest first, without their secrets. */
export async function listClients(
  ctx: ClientContext,
  { tenant_id, environment }: { tenant_id: string; environment?: Environment | undefined },
): Promise<OpenIdClient[]> {
  const rows = await readClients(ctx.db, { tenant_id, environment: environment ?? null })
  return rows.length === 0 ? [] : view(ctx, tenant_id, rows)
}

export async function getClient(
  ctx: ClientContext,
  {
    tenant_id,
    client_id,
    environment,
  }: { tenant_id: string; client_id: string; environment?: Environment | undefined },
): Promise<OpenIdClient> {
  const row = await readClient(ctx.db, { tenant_id, id: client_id, environment })
  if (row === undefined) throw notFound('openid_client_not_found')
  const [client] = await view(ctx, tenant_id, [row])
  if (client === undefined) throw new Error('one row has one view')
  return client
}

/** Some of the tenant's clients, in either environment, that may ask with a template. */
export function listClientsWithTemplate(
  tx: Db,
  template: { tenant_id: string; key: string; limit: number },
): Promise<Pick<ClientRow, 'name' | 'environment'>[]> {
  return readClientsWithTemplate(tx, template)
}

async function view(
  ctx: ClientContext,
  tenant_id: string,
  rows: readonly ClientRow[],
): Promise<OpenIdClient[]> {
  const existing = new Set((await listTemplates(ctx, tenant_id)).map(({ key }) => key))
  return rows.map((row) => viewClient(ctx, row, existing))
}
