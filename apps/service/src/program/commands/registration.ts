import {
  registrationEncodings,
  registrationPolicies,
  type Registration,
  type RegistrationDetail,
} from '@vidimus/contract'
import {
  addRegistration,
  changeRegistration,
  describeFinding,
  findFailure,
  getRegistration,
  getRegistrationSettings,
  listTenantRegistrations,
  recheckRegistration,
  removeRegistration,
  setRegistrationSettings,
} from '../../trust/index.ts'
import { assignRegistration } from '../../templates/index.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption, parseName, parseUuid, readFileOption, tenantOption } from './options.ts'
import { withContext } from './with-context.ts'

const idOption = { type: 'string', required: true, description: 'its id, from `registration list`' } as const

export const registrationAddCommand = command({
  options: {
    tenant: tenantOption,
    file: {
      type: 'string',
      required: true,
      description: 'the certificate: a compact JWT, or base64url of it',
    },
    dataset: { type: 'string', description: "JSON file with the registrar's data set" },
    name: { type: 'string', description: 'what to call it (default: what the certificate says)' },
    default: { type: 'boolean', description: 'ask under it wherever no other is named' },
    json: jsonOption,
  },
  async run({ values }) {
    const input = {
      by: operatorOf(values.tenant),
      certificate: readFileOption(values.file),
      default: values.default,
      ...(values.dataset !== undefined && { dataset: readFileOption(values.dataset) }),
      ...(values.name !== undefined && { name: parseName(values.name) }),
    }
    const added = await withContext((ctx) => addRegistration(ctx, input))
    printResult(values, added, describe(added))
  },
})

export const registrationListCommand = command({
  options: { tenant: tenantOption, json: jsonLinesOption },
  async run({ values }) {
    const { tenant_id } = operatorOf(values.tenant)
    const { data } = await withContext((ctx) => listTenantRegistrations(ctx, tenant_id))
    for (const registration of data) printResult(values, registration, [summarize(registration)])
  },
})

export const registrationShowCommand = command({
  options: { tenant: tenantOption, id: idOption, json: jsonOption },
  async run({ values }) {
    const { tenant_id } = operatorOf(values.tenant)
    const id = parseUuid('id', values.id)
    const registration = await withContext((ctx) => getRegistration(ctx, { tenant_id, id }))
    printResult(values, registration, describe(registration))
  },
})

export const registrationDefaultCommand = command({
  options: { tenant: tenantOption, id: idOption, json: jsonOption },
  async run({ values }) {
    const change = { by: operatorOf(values.tenant), id: parseUuid('id', values.id), default: true }
    const registration = await withContext((ctx) => changeRegistration(ctx, change))
    printResult(values, registration, [summarize(registration)])
  },
})

export const registrationAssignCommand = command({
  options: {
    tenant: tenantOption,
    template: { type: 'string', required: true, description: 'the key of the template' },
    id: { ...idOption, description: 'its id, from `registration list`; or default' },
    json: jsonOption,
  },
  async run({ values }) {
    const registration_id = values.id === 'default' ? null : parseUuid('id', values.id)
    const by = operatorOf(values.tenant)
    const { key, registration } = await withContext((ctx) =>
      assignRegistration(ctx, { by, key: values.template, registration_id }),
    )
    printResult(values, { key, registration: registration ?? null }, [
      `${key} is asked under ${registration === undefined ? 'no registration' : `${registration.id}  ${registration.name}`}.`,
    ])
  },
})

export const registrationCheckCommand = command({
  options: { tenant: tenantOption, id: idOption, json: jsonOption },
  async run({ values }) {
    const by = operatorOf(values.tenant)
    const id = parseUuid('id', values.id)
    const registration = await withContext(async (ctx) => {
      await recheckRegistration(ctx, { by, id })
      return getRegistration(ctx, { tenant_id: by.tenant_id, id })
    })
    printResult(values, registration, describe(registration))
    return findFailure(registration.findings) === undefined ? 0 : 1
  },
})

export const registrationSetCommand = command({
  options: {
    tenant: tenantOption,
    encoding: { type: 'string', description: 'base64url (ETSI TS 119 472-2), or jwt' },
    policy: { type: 'string', description: 'warn, or refuse such a query with 422' },
    json: jsonOption,
  },
  async run({ values }) {
    const by = operatorOf(values.tenant)
    const encoding = parseOneOf('encoding', values.encoding, registrationEncodings)
    const policy = parseOneOf('policy', values.policy, registrationPolicies)
    if (encoding === undefined && policy === undefined)
      throw new UsageError('Give at least one option to set')
    const settings = await withContext(async (ctx) => {
      await setRegistrationSettings(ctx, { by, encoding, policy })
      return getRegistrationSettings(ctx, by.tenant_id)
    })
    printResult(values, settings, [`encoding  ${settings.encoding}`, `policy    ${settings.policy}`])
  },
})

export const registrationRemoveCommand = command({
  options: { tenant: tenantOption, id: idOption, json: jsonOption },
  async run({ values }) {
    const id = parseUuid('id', values.id)
    const by = operatorOf(values.tenant)
    await withContext((ctx) => removeRegistration(ctx, { by, id }))
    printResult(values, { id }, [`Removed ${id}.`])
  },
})

function operatorOf(tenant: string) {
  return { kind: 'operator', tenant_id: parseUuid('tenant', tenant) } as const
}

function parseOneOf<Value extends string>(
  option: string,
  given: string | undefined,
  allowed: readonly Value[],
): Value | undefined {
  if (given === undefined) return undefined
  const value = allowed.find((each) => each === given)
  if (value === undefined) throw new UsageError(`--${option} must be ${allowed.join(' or ')}`)
  return value
}

function summarize({ id, name, state, default: isDefault, expires_at, templates }: Registration): string {
  const until = expires_at === undefined ? 'no known end' : `until ${expires_at.slice(0, 10)}`
  const used = [...(isDefault ? ['default'] : []), ...templates].join(',') || 'unused'
  return `${id}  ${state}  ${until}  ${used}  ${name}`
}

function describe(registration: RegistrationDetail): string[] {
  return [
    summarize(registration),
    ...registration.findings.map((finding) => `${finding.status.padEnd(7)}  ${describeFinding(finding)}`),
  ]
}
