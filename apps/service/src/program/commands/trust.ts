import { anchorRoles, type AnchorRole } from '@vidimus/protocol'
import {
  type AnchorSummary,
  addAnchors,
  addTenantAnchors,
  getTenantTrust,
  listAnchors,
  listTrustLists,
  refreshAllLists,
  removeAnchor,
  removeTenantAnchor,
} from '../../trust/index.ts'
import type { ServiceContext } from '../context.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption, parseEnvironment, readFileOption, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

const maxEntityCharacters = 2500
const tenant = { type: 'string' } as const
const env = { type: 'string', required: true, description: 'test or live' } as const

export const trustAddCommand = command({
  options: {
    env,
    file: { type: 'string', required: true, description: 'the PEM file' },
    types: {
      type: 'string',
      description: 'comma-separated doctypes and vcts that they may issue (default: all)',
    },
    role: {
      type: 'string',
      description: `what they are trusted to do: ${anchorRoles.join(', ')} (default: issuing)`,
    },
    entity: {
      type: 'string',
      description:
        'who operates them: status lists may be signed under any revocation anchor of the same entity',
    },
    tenant: { ...tenant, description: 'a tenant: trust them only for its verifications' },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const environment = parseEnvironment(values.env)
    const document_types = values.types === undefined ? undefined : parseDocumentTypes(values.types)
    const role = parseRole(values.role)
    const entity = parseEntity(values.entity)
    const given = { environment, pem: readFileOption(values.file), document_types, role, entity }
    const by = operatorFor(values.tenant, values.reason)
    const record = asOperator('installation.trust_changed', values)
    const added = await withContext((ctx) =>
      by === undefined ? addAnchors(ctx, { ...given, record }) : addTenantAnchors(ctx, { ...given, by }),
    )
    printResult(
      values,
      {
        environment,
        ...(by !== undefined && { tenant_id: by.tenant_id }),
        added: added.map((anchor) => ({
          ...anchor,
          document_types: document_types ?? null,
          role: role ?? 'issuing',
          entity: entity ?? null,
        })),
      },
      added.map(({ fingerprint, subject }) => `${fingerprint}  ${subject}`),
    )
  },
})

export const trustRemoveCommand = command({
  options: {
    env,
    fingerprint: {
      type: 'string',
      required: true,
      description: 'its SHA-256 fingerprint, from `admin trust list`',
    },
    role: { type: 'string', description: 'remove it in this role only (default: in all roles)' },
    tenant: { ...tenant, description: 'a tenant, to remove one of its own anchors' },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const { fingerprint } = values
    const environment = parseEnvironment(values.env)
    const role = parseRole(values.role)
    const by = operatorFor(values.tenant, values.reason)
    const record = asOperator('installation.trust_changed', values)
    await withContext((ctx) =>
      by === undefined
        ? removeAnchor(ctx, { environment, fingerprint, role, record })
        : removeTenantAnchor(ctx, { by, environment, fingerprint, role }),
    )
    printResult(values, { environment, fingerprint }, [`${fingerprint} is no longer trusted.`])
  },
})

export const trustListCommand = command({
  options: {
    tenant: { ...tenant, description: 'a tenant: only its own anchors' },
    json: jsonLinesOption,
  },
  async run({ values }) {
    const by = operatorFor(values.tenant)
    const anchors = await withContext((ctx) =>
      by === undefined ? listAnchors({ db: ctx.db, sandbox: ctx.trust.sandbox }) : ownAnchors(ctx, by),
    )
    for (const anchor of anchors) {
      const { environment, source, fingerprint, subject, document_types, role, entity, expired } = anchor
      const types = document_types?.join(',') ?? 'all'
      const operatedBy = entity === null ? '' : `  (${entity})`
      printResult(values, anchor, [
        `${environment}  ${fingerprint}  ${source}${expired ? ' (expired)' : ''}  ${role}  ${types}  ${subject}${operatedBy}`,
      ])
    }
  },
})

async function ownAnchors(
  ctx: ServiceContext,
  { tenant_id }: { tenant_id: string },
): Promise<AnchorSummary[]> {
  const { anchors } = await getTenantTrust(ctx, tenant_id)
  return anchors.map((anchor) => ({ ...anchor, source: 'tenant', expired: false }))
}

export const trustRefreshCommand = command({
  options: { json: jsonOption },
  async run({ values }) {
    const lists = await withContext((ctx) => refreshAllLists(ctx))
    printResult(
      values,
      { lists },
      lists.map((list) => {
        const result =
          'fault' in list ? list.fault : `${list.anchors} anchors, number ${list.sequence_number}`
        return `${list.environment}  ${list.url}  ${result}`
      }),
    )
    return lists.some((list) => 'fault' in list) ? 1 : 0
  },
})

export const trustListsCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    for (const list of await withContext(listTrustLists)) {
      const state = list.expired ? 'expired' : list.stale ? 'stale' : 'fresh'
      const until = list.trusted_until === null ? 'never loaded' : `valid until ${list.trusted_until}`
      const fault = list.fault === null ? '' : `  ${list.fault}`
      printResult(values, { ...list }, [
        `${list.environment}  ${list.url}  ${state}  ${list.anchors} anchors  ${until}${fault}`,
      ])
    }
  },
})

function parseDocumentTypes(text: string): string[] {
  const types = text.split(',').map((part) => part.trim())
  if (types.some((type) => type === '' || type.length > 500)) {
    throw new UsageError('--types must be comma-separated document types')
  }
  return types
}

function parseRole(text: string | undefined): AnchorRole | undefined {
  if (text === undefined) return undefined
  const role = anchorRoles.find((each) => each === text)
  if (role === undefined) throw new UsageError(`--role must be one of ${anchorRoles.join(', ')}`)
  return role
}

function parseEntity(text: string | undefined): string | undefined {
  if (text !== undefined && (text.trim() === '' || text.length > maxEntityCharacters))
    throw new UsageError(`--entity must have 1 to ${maxEntityCharacters} characters`)
  return text
}

function operatorFor(tenantId: string | undefined, reason?: string) {
  if (tenantId === undefined) return undefined
  if (reason !== undefined) throw new UsageError('--reason cannot be given with --tenant')
  return { kind: 'operator', tenant_id: parseUuid('tenant', tenantId) } as const
}
