import { ChangeOpenIdClient, OpenIdClientInput, type OpenIdClient } from '@vidimus/contract'
import { changeClient, createClient, deleteClient, getClient, listClients } from '../../holder/index.ts'
import { printClient, requireBaseUrl } from './print-client.ts'
import { command, printResult, UsageError } from './command.ts'
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
  const crossDevice = values['cross-device']
  const given = {
    name: values.name,
    redirect_uris: splitList(values['redirect-uris']),
    templates: splitList(values.templates),
    purpose: values.purpose,
    id_token_algorithm: values['id-token-algorithm'],
    subject_claim: values['subject-claim'],
    cross_device:
      crossDevice === undefined
        ? undefined
        : parseChoice('--cross-device', crossDevice, { on: true, off: false }),
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
