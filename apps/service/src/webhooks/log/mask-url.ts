import { may, type Role } from '@vidimus/contract'

/**
 * An address as a member may see it. Query strings and fragments often hold tokens, so only whoever may read claims sees
 * them. A user name and a password, which older verifications may have, are shown to nobody.
 */
export function maskUrl(text: string, role: Role): string {
  const withoutUser = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
  if (may(role, 'read_claims')) return withoutUser
  return withoutUser.replace(/\?[^#]+/, '?…').replace(/#.+/, '#…')
}
