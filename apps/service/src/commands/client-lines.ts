import type { OpenIdClient } from '@vidimus/contract'

/** What to enter at the site, and how subjects are made. */
export function describeClient(client: OpenIdClient, secret?: string): string[] {
  const { missing_templates, previous_secret_expires_at } = client
  return [
    `issuer         ${client.issuer}`,
    `discovery      ${client.discovery_url}`,
    `client id      ${client.id}`,
    ...(secret === undefined ? [] : [`client secret  ${secret}`]),
    ...(client.authentication === 'none' ? ['client secret  none: use PKCE'] : []),
    ...client.scopes.map((scope) => `scope          openid ${scope}`),
    ...client.redirect_uris.map((uri) => `redirect       ${uri}`),
    `signed with    ${client.id_token_algorithm}`,
    client.subject_claim === undefined
      ? 'subject        new at every verification: each visit looks like a new person'
      : `subject        derived from ${client.subject_claim}`,
    ...(missing_templates === undefined ? [] : [`missing        ${missing_templates.join(', ')}`]),
    ...(previous_secret_expires_at === undefined
      ? []
      : [`old secret     works until ${previous_secret_expires_at}`]),
  ]
}
