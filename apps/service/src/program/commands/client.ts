import { ChangeOpenIdClient, type OpenIdClient, OpenIdClientInput } from '@vidimus/contract'
import { givenVariables } from '../../engine/config/index.ts'
import { changeClient, createClient, deleteClient, getClient, listClients } from '../../holder/index.ts'
import { CommandError, UsageError, command, printMessage, printResult } from './command.ts'
import {
  jsonLinesOption,
  jsonOption,
  parseChoice,
  parseEnvironment,
  parseUuid,
  tenantOption,
} from './options.ts'
import { withContext } from './with-context.ts'

export const clientOption = { type: 'string', required: true, description: "the client's id" } as const

const settings = {
  name: { type: 'string', description: 'what members see' },
  'redirect-uris': { type: 'string', description: 'comma-separated: where the browser may be sent back to' },
  templates: { type: 'string', description: 'comma-separated: the templates it may ask with' },
  purpose: { type: 'string', description: 'what the holder is told about the reason' },
  'id-token-algorithm': { type: 'string', description: 'RS256 (default) or ES256' },
  'subject-claim': { type: 'string', description: 'the claim that tells people apart (default: none)' },
  'cross-device': {
    type: 'string',
    description:
      'on: with a subject claim, also accept a wallet on another device. Someone who passes the QR code on is then signed in as the person who answers (default: off)',
  },
  pkce: {
    type: 'string',
    description: 'off: with a secret, also accept requests with a nonce instead of PKCE (default: on)',
  },
} as const

export const clientCreateCommand = command({
  options: {
    tenant: tenantOption,
    env: { type: 'string', required: true, description: 'test or live' },
    ...settings,
    public: { type: 'boolean', description: 'the site cannot keep a secret: PKCE alone protects the code' },
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const environment = parseEnvironment(values.env)
    const input = parse(OpenIdClientInput, {
      ...readSettings(values),
      authentication: values.public ? 'none' : 'secret',
    })
    requireBaseUrl()
    const { client, secret } = await withContext(async (ctx) => {
      const created = await createClient(ctx, { by: { kind: 'operator', tenant_id }, environment, ...input })
      return { ...created, client: await getClient(ctx, { tenant_id, client_id: created.client_id }) }
    })
    printClient(values, { client, ...(secret !== undefined && { secret }) }, client, secret)
  },
})

export const clientListCommand = command({
  options: { tenant: tenantOption, json: jsonLinesOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    for (const client of await withContext((ctx) => listClients(ctx, { tenant_id })))
      printResult(values, client, [
        `${client.id}  ${client.environment}  ${client.scopes.join(' ')}  ${client.name}`,
      ])
  },
})

export const clientShowCommand = command({
  options: { tenant: tenantOption, client: clientOption, json: jsonOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    requireBaseUrl()
    const client = await withContext((ctx) => getClient(ctx, { tenant_id, client_id: values.client }))
    printClient(values, client, client)
  },
})

export const clientSetCommand = command({
  options: { tenant: tenantOption, client: clientOption, ...settings, json: jsonOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const client_id = values.client
    const given = readSettings(values)
    const change = parse(ChangeOpenIdClient, {
      ...given,
      ...(given.purpose === '' && { purpose: null }),
      ...(given.subject_claim === '' && { subject_claim: null }),
    })
    requireBaseUrl()
    const client = await withContext(async (ctx): Promise<OpenIdClient> => {
      await changeClient(ctx, { by: { kind: 'operator', tenant_id }, client_id, change })
      return getClient(ctx, { tenant_id, client_id })
    })
    printClient(values, client, client)
  },
})

export const clientDeleteCommand = command({
  options: { tenant: tenantOption, client: clientOption, json: jsonOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const client_id = values.client
    await withContext((ctx) => deleteClient(ctx, { by: { kind: 'operator', tenant_id }, client_id }))
    printResult(values, { client_id, deleted: true }, [`${client_id} was deleted.`])
  },
})

type GivenSettings = { [Name in keyof typeof settings]: string | undefined }

/** The options that were given, as members of the contract. */
function readSettings(values: GivenSettings): Record<string, unknown> {
  const readSwitch = (name: 'cross-device' | 'pkce') => {
    const value = values[name]
    return value === undefined ? undefined : parseChoice(`--${name}`, value, { on: true, off: false })
  }
  const given = {
    name: values.name,
    redirect_uris: splitList(values['redirect-uris']),
    templates: splitList(values.templates),
    purpose: values.purpose,
    id_token_algorithm: values['id-token-algorithm'],
    subject_claim: values['subject-claim'],
    cross_device: readSwitch('cross-device'),
    pkce_required: readSwitch('pkce'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function splitList(text: string | undefined): string[] | undefined {
  return text?.split(',').map((part) => part.trim())
}

type Schema<Value> = {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Value }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } }
}

function parse<Value>(schema: Schema<Value>, given: unknown): Value {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const option = issue?.path[0] === undefined ? '' : `--${String(issue.path[0]).replaceAll('_', '-')}: `
  throw new UsageError(`${option}${issue?.message}`)
}

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
    ...(client.pkce_required ? [] : ['pkce           not required: a request without it must have a nonce']),
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
