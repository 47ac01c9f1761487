import type { OpenIdClient } from '@vidimus/contract'
import { givenVariables } from '../../engine/config/index.ts'
import { CommandError, printMessage, printResult } from './command.ts'

/** Refuses to continue in production without the address that sites are given. A secret is shown only once, so nothing is created before. */
export function requireBaseUrl(): void {
  const given = givenVariables()
  if (given['NODE_ENV'] === 'production' && given['BASE_URL'] === undefined)
    throw new CommandError('Set BASE_URL to the public URL of the service: the issuer begins with it.')
}

/** Prints a client with what to enter at the site, and says so if the addresses are only those of a developer's machine. */
export function printClient(
  values: { json: boolean },
  result: object,
  client: OpenIdClient,
  secret?: string,
): void {
  printResult(values, result, describeClient(client, secret))
  if (givenVariables()['BASE_URL'] === undefined)
    printMessage(
      `BASE_URL is not set, so the issuer is shown for ${new URL(client.issuer).origin}. If the service has another address, set BASE_URL as the service has it (with \`vidimus dev\`: BASE_URL="$VIDIMUS_URL") and run \`vidimus client show\`.`,
    )
}

/** What to enter at the site, and how subjects are made. */
function describeClient(client: OpenIdClient, secret?: string): string[] {
  const { missing_templates, previous_secret_expires_at, last_problem } = client
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
    ...(client.cross_device === undefined
      ? []
      : [
          client.cross_device
            ? 'devices        any: a QR code that is passed on signs its sender in as the person who answers'
            : "devices        the browser's own: the page shows no QR code",
        ]),
    ...(missing_templates === undefined ? [] : [`missing        ${missing_templates.join(', ')}`]),
    ...(previous_secret_expires_at === undefined
      ? []
      : [`old secret     works until ${previous_secret_expires_at}`]),
    ...(last_problem === undefined
      ? []
      : [`last problem   ${last_problem.description} (${last_problem.at})`]),
  ]
}
