import { addAnchors } from '../trust/anchors/add.ts'
import type { Context } from '../context.ts'
import { listAnchors, type AnchorSummary } from '../trust/anchors/list.ts'
import { removeAnchor } from '../trust/anchors/remove.ts'
import { listTrustLists } from '../trust/lists/list.ts'
import { refreshAllLists } from '../trust/lists/refresh-configured.ts'
import { addTenantAnchors } from '../trust/tenant/add-anchors.ts'
import { getTenantTrust } from '../trust/tenant/get.ts'
import { removeTenantAnchor } from '../trust/tenant/remove-anchor.ts'
import { command, printResult, UsageError } from './command.ts'
import { parseEnvironment, readFileOption, parseUuid, withContext } from './with-context.ts'

const json = { type: 'boolean', means: 'print one JSON object' } as const
const tenant = { type: 'string' } as const
const env = { type: 'string', required: true, means: 'test or live' } as const

export const trustAddCommand = command({
  summary:
    'Trusts the certificates of a PEM file: authorities of issuers, or the very certificates they sign with.',
  options: {
    env,
    file: { type: 'string', required: true, means: 'the PEM file' },
    types: {
      type: 'string',
      means: 'the doctypes and vcts they vouch for, with commas between; all when absent',
    },
    tenant: { ...tenant, means: 'a tenant: they count for its verifications alone' },
    json,
  },
  async run({ values }) {
    const environment = parseEnvironment(values.env)
    const document_types = values.types === undefined ? undefined : parseDocumentTypes(values.types)
    const given = { environment, pem: readFileOption(values.file), document_types }
    const by = operatorFor(values.tenant)
    const added = await withContext((ctx) =>
      by === undefined ? addAnchors(ctx, given) : addTenantAnchors(ctx, { ...given, by }),
    )
    printResult(
      values,
      {
        environment,
        ...(by !== undefined && { tenant_id: by.tenant_id }),
        added: added.map((anchor) => ({ ...anchor, document_types: document_types ?? null })),
      },
      added.map(({ fingerprint, subject }) => `${fingerprint}  ${subject}`),
    )
  },
})

export const trustRemoveCommand = command({
  summary: 'Ends the trust in a certificate that was added. Every process knows within seconds.',
  options: {
    env,
    fingerprint: { type: 'string', required: true, means: 'its SHA-256, as `trust list` shows it' },
    tenant: { ...tenant, means: 'a tenant, for an anchor of its own' },
    json,
  },
  async run({ values }) {
    const { fingerprint } = values
    const environment = parseEnvironment(values.env)
    const by = operatorFor(values.tenant)
    await withContext((ctx) =>
      by === undefined
        ? removeAnchor(ctx, { environment, fingerprint })
        : removeTenantAnchor(ctx, { by, environment, fingerprint }),
    )
    printResult(values, { environment, fingerprint }, [`${fingerprint} is no longer trusted.`])
  },
})

export const trustListCommand = command({
  summary: 'Lists who is trusted, a line each, the environment first.',
  options: {
    tenant: { ...tenant, means: 'a tenant: its own anchors alone' },
    json: { ...json, means: 'print one JSON object a line' },
  },
  async run({ values }) {
    const by = operatorFor(values.tenant)
    const anchors = await withContext((ctx) =>
      by === undefined ? listAnchors({ db: ctx.db, sandbox: ctx.trust.sandbox }) : ownAnchors(ctx, by),
    )
    for (const anchor of anchors) {
      const { environment, source, fingerprint, subject, document_types, lapsed } = anchor
      printResult(values, anchor, [
        `${environment}  ${fingerprint}  ${source}${lapsed ? ' (lapsed)' : ''}  ${document_types?.join(',') ?? 'all'}  ${subject}`,
      ])
    }
  },
})

async function ownAnchors(ctx: Context, { tenant_id }: { tenant_id: string }): Promise<AnchorSummary[]> {
  const { anchors } = await getTenantTrust(ctx, tenant_id)
  return anchors.map((anchor) => ({ ...anchor, source: 'tenant', lapsed: false }))
}

export const trustRefreshCommand = command({
  summary:
    'Fetches every list of TRUST_LISTS_FILE now. Exit status 1 when one could not be taken; its last good copy stays.',
  options: { json },
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
  summary: 'Shows the state of the trust lists, a line each, the environment first.',
  options: { json: { ...json, means: 'print one JSON object a line' } },
  async run({ values }) {
    for (const list of await withContext(listTrustLists)) {
      const state = list.lapsed ? 'lapsed' : list.stale ? 'stale' : 'fresh'
      const until = list.trusted_until === null ? 'never had' : `stands until ${list.trusted_until}`
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
    throw new UsageError('--types must be document types with commas between')
  }
  return types
}

function operatorFor(tenantId: string | undefined) {
  return tenantId === undefined
    ? undefined
    : ({ kind: 'operator', tenant_id: parseUuid('tenant', tenantId) } as const)
}
