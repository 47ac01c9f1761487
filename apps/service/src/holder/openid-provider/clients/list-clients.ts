import { type Environment, type OpenIdClient, templateScopePrefix } from '@vidimus/contract'
import { notFound } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { type TemplateContext, listTemplates } from '../../../templates/index.ts'
import { discoveryAddress, issuerAddress } from '../issuer/issuer.ts'
import {
  type ClientRow,
  readClient,
  readClientNames,
  readClientTemplates,
  readClients,
  readClientsWithTemplate,
} from './store.ts'

type ClientContext = Pick<TemplateContext, 'config' | 'db' | 'builtInTemplates'>

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

/** Some of the tenant's clients in an environment. */
export function listClientTemplates(
  tx: Db,
  of: { tenant_id: string; environment: Environment; limit: number },
): Promise<Pick<ClientRow, 'name' | 'environment' | 'templates'>[]> {
  return readClientTemplates(tx, of)
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

/** A client without its secrets, with what its administrator enters elsewhere. */
function viewClient(
  { config }: Pick<Context, 'config'>,
  row: ClientRow,
  existing: ReadonlySet<string>,
): OpenIdClient {
  const { id, environment, name, redirect_uris, templates, authentication, id_token_algorithm } = row
  const issuer = issuerAddress(config, { tenant_id: row.tenant_id, cell: row.issuer_cell })
  const missing = templates.filter((key) => !existing.has(key))
  return {
    id,
    environment,
    issuer,
    discovery_url: discoveryAddress(issuer),
    scopes: templates.map((key) => templateScopePrefix + key),
    name,
    redirect_uris,
    templates,
    ...(row.purpose !== null && { purpose: row.purpose }),
    authentication,
    id_token_algorithm,
    ...(row.subject_claim !== null && {
      subject_claim: row.subject_claim,
      cross_device: row.cross_device,
    }),
    pkce_required: row.pkce_required,
    ...(missing.length > 0 && { missing_templates: missing }),
    ...(row.previous_secret_expires_at !== null && {
      previous_secret_expires_at: row.previous_secret_expires_at,
    }),
    ...(row.last_problem !== null &&
      row.last_problem_at !== null && {
        last_problem: { at: row.last_problem_at, description: row.last_problem },
      }),
    created_at: row.created_at,
  }
}

type NamedClient = Pick<ClientRow, 'id' | 'name' | 'environment'>

/** Those of the clients that the tenant has, by id. */
export async function nameClients(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, NamedClient>> {
  const rows = ids.length === 0 ? [] : await readClientNames(db, { tenant_id, ids })
  return new Map(rows.map((client) => [client.id, client]))
}
