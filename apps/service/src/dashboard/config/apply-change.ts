import type { AppliedConfig, ChangeOpenIdClient, TenantConfig } from '@vidimus/contract'
import { canonicalize } from '@vidimus/evidence'
import { setBrand, setPolicies } from '../../accounts/index.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  removeAlertWebhook,
  setAlertWebhook,
} from '../../deliveries/index.ts'
import { type KeyPrincipal, Refusal } from '../../engine/basics/index.ts'
import { changeClient, createClient, deleteClient } from '../../holder/index.ts'
import { assignRegistration, putTemplate } from '../../templates/index.ts'
import {
  addRegistration,
  addTenantAnchors,
  changeRegistration,
  removeRegistration,
  removeTenantAnchor,
  setRegistrationSettings,
  setTrustPolicy,
} from '../../trust/index.ts'
import type { DashboardContext } from '../context.ts'
import { changeHolderPage } from '../change-holder-page.ts'
import { deleteUnneededTemplate } from '../delete-template.ts'
import { setRequestLog } from '../request-log/record.ts'
import type { EntryKind, EntryOf } from './entries.ts'
import type { PlannedChange } from './plan.ts'

type Secret = AppliedConfig['secrets'][number]

export type Applying = {
  by: KeyPrincipal
  /** The ids of registrations by their fingerprints, with those that were added meanwhile. */
  registrationIds: Map<string, string>
}

type ChangeOf<Kind extends EntryKind> = {
  action: PlannedChange['action']
  entry: EntryOf<Kind>
  before: EntryOf<Kind> | undefined
}

/** Makes one change by the use case that the dashboard calls, and returns the secret of what it created. */
export async function applyChange(
  ctx: DashboardContext,
  applying: Applying,
  change: PlannedChange,
): Promise<Secret | undefined> {
  const secret = await steps[change.entry.kind](ctx, applying, {
    ...change,
    before: change.before,
  } as never) // an entry and what was before are of one kind
  return secret === undefined ? undefined : { resource: change.entry.resource, ...secret }
}

type Step<Kind extends EntryKind> = (
  ctx: DashboardContext,
  applying: Applying,
  change: ChangeOf<Kind>,
) => Promise<Omit<Secret, 'resource'> | undefined | void>

const steps: { [Kind in EntryKind]: Step<Kind> } = {
  anchor: async (ctx, { by }, { action, entry: { key, value } }) => {
    const { environment, role } = value
    if (action !== 'delete') await addTenantAnchors(ctx, { by, ...value })
    else await removeTenantAnchor(ctx, { by, environment, fingerprint: key.split(' ')[2] ?? '', role })
  },
  trust_policy: (ctx, { by }, { entry: { value: policy } }) => setTrustPolicy(ctx, { by, policy }),
  registration: applyRegistration,
  registration_settings: async (ctx, { by }, { entry: { value } }) => {
    await setRegistrationSettings(ctx, { by, ...value })
  },
  template: applyTemplate,
  brand: (ctx, { by }, { entry: { value: brand } }) => setBrand(ctx, { by, brand }),
  policies: async (ctx, { by }, { entry: { value } }) => {
    await setPolicies(ctx, { tenant_id: by.tenant_id, by, ...value })
  },
  holder_page: async (ctx, { by }, { entry: { value } }) => {
    await changeHolderPage(ctx, { by, ...value })
  },
  request_log: (ctx, { by }, { entry: { value } }) => setRequestLog(ctx, { by, ...value }),
  alert_webhook: async (ctx, { by }, { entry: { value } }) => {
    if (value === null) return void (await removeAlertWebhook(ctx, by))
    const { secret } = await setAlertWebhook(ctx, { by, ...value })
    return secret === undefined ? undefined : { secret }
  },
  webhook_endpoint: applyEndpoint,
  openid_client: applyOpenIdClient,
}

async function applyRegistration(
  ctx: DashboardContext,
  { by, registrationIds }: Applying,
  { action, entry: { key, value, id = '' }, before }: ChangeOf<'registration'>,
): Promise<void> {
  const { name } = value
  if (action === 'delete') return removeRegistration(ctx, { by, id })
  if (action === 'change')
    return void (await changeRegistration(ctx, {
      by,
      id: before?.id ?? '',
      ...(name !== before?.value.name && { name }),
      ...(value.default !== before?.value.default && { default: value.default }),
    }))
  const added = await addRegistration(ctx, { by, ...value })
  registrationIds.set(key, added.id)
  // The first one of a tenant becomes its default.
  if (added.default !== value.default)
    await changeRegistration(ctx, { by, id: added.id, default: value.default })
}

async function applyTemplate(
  ctx: DashboardContext,
  { by, registrationIds }: Applying,
  { action, entry, before }: ChangeOf<'template'>,
): Promise<void> {
  const { key, registration } = entry
  const { template } = entry.value
  if (action === 'delete' && template !== undefined) return deleteUnneededTemplate(ctx, by, key)
  const isNew = template !== undefined && !isSame(template, before?.value.template)
  const [violation] = isNew ? await putTemplate(ctx, { key, template, by }) : []
  if (violation !== undefined) throw new Refusal('invalid_template', `${violation.place}: ${violation.rule}.`)
  const wanted = action === 'delete' ? undefined : registration
  if (wanted === before?.registration) return
  const registration_id = wanted === undefined ? null : (registrationIds.get(wanted) ?? null)
  await assignRegistration(ctx, { by, key, registration_id })
}

async function applyEndpoint(
  ctx: DashboardContext,
  { by: key }: Applying,
  { action, entry: { value }, before }: ChangeOf<'webhook_endpoint'>,
): Promise<Omit<Secret, 'resource'> | undefined> {
  const { environment, url, events, description, enabled } = value
  const by = { ...key, environment }
  if (action === 'create') {
    const { endpoint, secret } = await createEndpoint(ctx, by, { url, events, description, enabled })
    return { id: endpoint.id, secret }
  }
  const id = before?.id ?? ''
  if (action === 'delete') await deleteEndpoint(ctx, by, id)
  else await changeEndpoint(ctx, by, { id, ...differing({ events, description, enabled }, before?.value) })
  return undefined
}

async function applyOpenIdClient(
  ctx: DashboardContext,
  { by }: Applying,
  { action, entry: { value }, before }: ChangeOf<'openid_client'>,
): Promise<Omit<Secret, 'resource'> | undefined> {
  const { environment } = value
  if (action === 'create') {
    const { client_id: id, secret } = await createClient(ctx, { by, ...value })
    return secret === undefined ? undefined : { id, secret }
  }
  const client_id = before?.id ?? ''
  if (action === 'delete') await deleteClient(ctx, { by, client_id, environment })
  else await changeClient(ctx, { by, client_id, environment, change: toClientChange(value, before?.value) })
  return undefined
}

type Client = Exclude<TenantConfig['openid_clients'], undefined>[number]

function toClientChange(value: Client, before: Client | undefined): ChangeOpenIdClient {
  const { redirect_uris, templates, id_token_algorithm, cross_device, pkce_required } = value
  const { purpose = null, subject_claim = null } = value
  return differing(
    { redirect_uris, templates, purpose, id_token_algorithm, subject_claim, cross_device, pkce_required },
    { purpose: null, subject_claim: null, ...before },
  )
}

/** Those members that have another value before. */
function differing<Value extends object>(value: Value, before: object = {}): Partial<Value> {
  const known = new Map<string, unknown>(Object.entries(before))
  const members = Object.entries(value).filter(([name, member]) => !isSame(member, known.get(name)))
  return Object.fromEntries(members) as Partial<Value> // members of it
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalize([one ?? null]) === canonicalize([other ?? null])
}
