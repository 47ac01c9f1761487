import type { Config } from '../../../engine/config/index.ts'

/** The issuer of a tenant. It never changes: the cell is the one that created the issuer. */
export function issuerAddress(
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  { tenant_id, cell }: { tenant_id: string; cell: string },
): string {
  return `${BASE_URL}/oidc/${cell}${tenant_id}`
}

/** Where clients read everything else about an issuer (OpenID Connect Discovery 1.0 §4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`
}
