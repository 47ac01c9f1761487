import { templateScopePrefix, type OpenIdClient } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { discoveryAddress, issuerAddress } from '../issuer/issuer-address.ts'
import type { ClientRow } from './store.ts'

/** A client without its secrets, with what its administrator enters elsewhere. */
export function viewClient(
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
