import { may, type Role } from '@vidimus/contract'

/**
 * A URL as a member may see it. Query strings and fragments often contain tokens, so only members who may read claims see
 * them. User names and passwords, which older verifications may have, are always removed.
 */
export function maskUrl(text: string, role: Role): string {
  const withoutCredentials = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
  if (may(role, 'read_claims')) return withoutCredentials
  return withoutCredentials.replace(/\?[^#]+/, '?…').replace(/#.+/, '#…')
}
