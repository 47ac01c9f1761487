import { ecosystems, type EcosystemIdentity } from '@vidimus/contract'
import { checkIdentity, type Ecosystem, type IdentityFinding } from '@vidimus/protocol'
import { getHolderPage } from '../../accounts/index.ts'
import {
  type IdentityOwner,
  describeAccessCertificate,
  issueEcosystemIdentity,
  listEcosystemIdentities,
  readDerChain,
  removeEcosystemIdentity,
  setEcosystemIdentity,
} from '../../trust/index.ts'
import type { ServiceContext } from '../context.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, CommandError, printResult, UsageError } from './command.ts'
import {
  jsonLinesOption,
  jsonOption,
  parseChoice,
  parseEnvironment,
  parseUuid,
  readFileOption,
} from './options.ts'
import { withContext } from './with-context.ts'

const env = { type: 'string', required: true, description: 'test or live' } as const
const tenant = {
  type: 'string',
  description: "the tenant's id (default: for every tenant that has none of its own)",
} as const
const ecosystem = {
  type: 'string',
  required: true,
  description: `whose wallets trust it: ${ecosystems.join(', ')}`,
} as const

export const identitySetCommand = command({
  options: {
    env,
    ecosystem,
    cert: { type: 'string', required: true, description: 'PEM file with its chain, leaf first' },
    key: { type: 'string', description: 'PEM file with its key' },
    'key-uri': {
      type: 'string',
      description:
        'instead of --key: its key in the token of SIGNING_KEY_URI, such as pkcs11:token=T;object=O',
    },
    metadata: { type: 'string', description: 'for Google: file with gw_rp_metadata_bytes, in base64url' },
    tenant,
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const given = {
      ...ownerOf(values),
      ecosystem: parseEcosystem(values.ecosystem),
      environment: parseEnvironment(values.env),
      certificate: { chain: readFileOption(values.cert), ...readKey(values) },
      ...(values.metadata !== undefined && { metadata: readMetadata(values.metadata) }),
    }
    const identities = await withContext(async (ctx) => {
      await setEcosystemIdentity(ctx, given)
      return listIdentities(ctx, given.tenant_id)
    })
    printIdentity(values, identities, given)
  },
})

export const identityIssueCommand = command({
  options: {
    env,
    tenant: { ...tenant, required: true, description: "the tenant's id" },
    'registrar-cert': {
      type: 'string',
      required: true,
      description: "PEM file with the verifier registrar's chain, its own certificate first",
    },
    'registrar-key': { type: 'string', required: true, description: 'PEM file with its key' },
    name: { type: 'string', required: true, description: 'the name that the wallet shows' },
    logo: { type: 'string', required: true, description: 'the URL of its logo' },
    privacy: { type: 'string', required: true, description: 'the URL of its privacy policy' },
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const environment = parseEnvironment(values.env)
    const registrar = {
      chain: readFileOption(values['registrar-cert']),
      key: readFileOption(values['registrar-key']),
    }
    const display = { display_name: values.name, logo_uri: values.logo, privacy_policy_uri: values.privacy }
    const identities = await withContext(async (ctx) => {
      await issueEcosystemIdentity(ctx, { tenant_id, environment, registrar, metadata: { display } })
      return listIdentities(ctx, tenant_id)
    })
    printIdentity(values, identities, { ecosystem: 'google', environment })
  },
})

export const identityRemoveCommand = command({
  options: { env, ecosystem, tenant, ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const key = { ecosystem: parseEcosystem(values.ecosystem), environment: parseEnvironment(values.env) }
    const removed = await withContext((ctx) => removeEcosystemIdentity(ctx, { ...ownerOf(values), ...key }))
    if (!removed) throw new CommandError(`There is no identity for ${key.ecosystem} in ${key.environment}.`)
    printResult(values, key, [`The identity for ${key.ecosystem} in ${key.environment} is removed.`])
  },
})

export const identityCheckCommand = command({
  options: {
    tenant: { ...tenant, description: "the tenant's id (default: the identities of the operator)" },
    cert: { type: 'string', description: 'PEM file with a chain to check before it is set' },
    ecosystem: { type: 'string', description: 'with --cert: eu, apple, google or iso (default: eu)' },
    metadata: { type: 'string', description: 'with --cert for Google: file with gw_rp_metadata_bytes' },
    json: jsonLinesOption,
  },
  async run({ values }) {
    const checked =
      values.cert === undefined
        ? await withContext((ctx) => checkStored(ctx, readTenant(values.tenant)))
        : [checkFile(values.cert, values)]
    for (const each of checked) printResult(values, each, describe(each))
    return checked.some(({ findings }) => findings.some(({ severity }) => severity === 'refused')) ? 1 : 0
  },
})

function readKey({ key, 'key-uri': key_uri }: Record<'key' | 'key-uri', string | undefined>) {
  if (key !== undefined && key_uri === undefined) return { key: readFileOption(key) }
  if (key === undefined && key_uri !== undefined) return { key_uri }
  throw new UsageError('Give either --key or --key-uri')
}

type CheckedLine = {
  ecosystem: Ecosystem
  environment?: string
  subject: string
  findings: IdentityFinding[]
}

async function checkStored(ctx: ServiceContext, tenant_id: string | null): Promise<CheckedLine[]> {
  const access = tenant_id === null ? [] : [await describeAccessCertificate(ctx, tenant_id)]
  return [
    ...access.map(({ subject, findings }) => ({ ecosystem: 'eu' as const, subject, findings })),
    ...(await listIdentities(ctx, tenant_id)),
  ]
}

function checkFile(
  file: string,
  { ecosystem: name = 'eu', metadata }: { ecosystem: string | undefined; metadata: string | undefined },
): CheckedLine {
  const known = { eu: 'eu', apple: 'apple', google: 'google', iso: 'iso' } as const
  const chosen = parseChoice('--ecosystem', name, known)
  const findings = checkIdentity({
    ecosystem: chosen,
    certificates: readDerChain(readFileOption(file)),
    ...(metadata !== undefined && { metadata: readMetadata(metadata) }),
    now: Date.now() / 1000,
  })
  return { ecosystem: chosen, subject: file, findings }
}

function describe({ ecosystem: name, environment = '', subject, findings }: CheckedLine): string[] {
  const problems = findings.map(({ severity, message }) => `  ${severity}: ${message}`)
  return [
    `${name.padEnd(7)} ${environment.padEnd(4)}  ${subject}`,
    ...(problems.length === 0 ? ['  nothing is known against it'] : problems),
  ]
}

async function listIdentities(ctx: ServiceContext, tenant_id: string | null): Promise<EcosystemIdentity[]> {
  const page = tenant_id === null ? undefined : await getHolderPage(ctx, tenant_id)
  const origins = [ctx.config.BASE_URL, ...(page?.page_origins ?? [])]
  const hosts = origins.flatMap((origin) => URL.parse(origin)?.hostname ?? [])
  return listEcosystemIdentities(ctx, tenant_id, hosts)
}

function printIdentity(
  values: { json: boolean },
  identities: readonly EcosystemIdentity[],
  key: Pick<EcosystemIdentity, 'ecosystem' | 'environment'>,
): void {
  for (const each of identities)
    if (each.ecosystem === key.ecosystem && each.environment === key.environment)
      printResult(values, each, describe(each))
}

function ownerOf(values: Record<'tenant' | 'as' | 'reason', string | undefined>): IdentityOwner {
  const tenant_id = readTenant(values.tenant)
  return tenant_id === null
    ? { tenant_id, record: asOperator('installation.identity_changed', values) }
    : { tenant_id }
}

function readTenant(given: string | undefined): string | null {
  return given === undefined ? null : parseUuid('tenant', given)
}

function parseEcosystem(given: string) {
  const found = ecosystems.find((each) => each === given)
  if (found === undefined) throw new UsageError(`--ecosystem must be ${ecosystems.join(', ')}`)
  return found
}

function readMetadata(file: string): Buffer {
  return Buffer.from(readFileOption(file).trim(), 'base64url')
}
