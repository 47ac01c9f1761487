import { type Environment, environments, maxOpenIdClients, maxWebhookEndpoints } from '@vidimus/contract'
import { bindTemplate, isTemplate } from '@vidimus/protocol'
import { lockPlanLimits } from '../../accounts/index.ts'
import { checkReceiverUrl } from '../../deliveries/index.ts'
import { type KeyPrincipal, Refusal } from '../../engine/basics/index.ts'
import { alwaysReturnsClaim } from '../../holder/index.ts'
import { checkOwnTemplate, refuseInput } from '../../templates/index.ts'
import {
  describeFinding,
  findFailure,
  maxRegistrations,
  maxTenantAnchors,
  previewRegistration,
} from '../../trust/index.ts'
import type { DashboardContext } from '../context.ts'
import { requireNoDevice } from '../delete-template.ts'
import { type Entry, type EntryKind, type EntryOf, scopeOf } from './entries.ts'
import type { ConfigPlan, PlannedChange } from './plan.ts'

/** Throws if a change of the plan is not allowed to this key or would be refused later, before anything is changed. */
export async function checkPlan(ctx: DashboardContext, by: KeyPrincipal, plan: ConfigPlan): Promise<void> {
  requireScopes(by, plan.changes)
  const { tenant_id } = by
  const templates = new Map(ofKind(plan.after, 'template').map((entry) => [entry.key, entry]))
  const made = plan.changes.filter(({ action }) => action !== 'delete')
  for (const { entry, before } of made) {
    if (entry.kind === 'template') checkTemplateEntry(ctx, entry)
    if (entry.kind === 'openid_client') checkClient(ctx, entry, templates)
    if (entry.kind === 'registration' && before?.kind === 'registration') requireSameDataset(entry, before)
  }
  requireReferences(ctx, plan, templates)
  await requireRoom(ctx, tenant_id, plan)
  for (const { action, entry } of plan.changes)
    if (action === 'delete' && entry.kind === 'template' && entry.value.template !== undefined)
      await requireNoDevice(ctx.db, { tenant_id, key: entry.key })
  await Promise.all(made.map((change) => checkUrl(ctx, change)))
  await checkRegistrations(ctx, tenant_id, made)
}

function requireScopes(by: KeyPrincipal, changes: readonly PlannedChange[]): void {
  const refused = changes.find(({ entry }) => !by.scopes.includes(scopeOf[entry.kind]))
  if (refused === undefined) return
  const { kind, resource } = refused.entry
  throw new Refusal(
    'insufficient_scope',
    `Nothing was changed. The change of the ${resource} needs the scope ${scopeOf[kind]}.`,
  )
}

function ofKind<Kind extends EntryKind>(entries: readonly Entry[], kind: Kind): (Entry & EntryOf<Kind>)[] {
  return entries.filter((entry): entry is Entry & EntryOf<Kind> => entry.kind === kind)
}

const maxNamed = 5

function checkTemplateEntry({ builtInTemplates }: DashboardContext, entry: EntryOf<'template'>): void {
  const { template } = entry.value
  if (template === undefined && builtInTemplates.has(entry.key)) return
  const violations = checkOwnTemplate(entry.key, template)
  if (violations.length === 0) return
  const named = violations.slice(0, maxNamed).map(({ place, rule }) => `${place}: ${rule}.`)
  throw new Refusal('invalid_template', `The ${entry.resource} is not valid. ${named.join(' ')}`)
}

type Templates = ReadonlyMap<string, EntryOf<'template'>>

function checkClient(
  { builtInTemplates }: DashboardContext,
  { resource, value }: EntryOf<'openid_client'>,
  templates: Templates,
): void {
  for (const key of value.templates) {
    const template = builtInTemplates.get(key)?.template ?? templates.get(key)?.value.template
    if (!isTemplate(template)) continue
    refuseInput(template, `template ${key} of the ${resource}`)
    const bound = bindTemplate(template)
    if (value.subject_claim === undefined || 'violation' in bound) continue
    if (!alwaysReturnsClaim(bound.template, value.subject_claim))
      throw new Refusal(
        'invalid_request',
        `The ${resource} has the subject_claim ${value.subject_claim}, which not every wallet returns for the template ${key}.`,
      )
  }
}

/** A registration never changes: its name and whether it is the default do. */
function requireSameDataset(entry: EntryOf<'registration'>, before: EntryOf<'registration'>): void {
  if (entry.value.dataset === before.value.dataset) return
  throw new Refusal(
    'invalid_request',
    `The data set of the ${entry.resource} differs from the stored one. Remove the registration first.`,
  )
}

/** What is there afterwards refers only to what is there. */
function requireReferences(
  { builtInTemplates }: DashboardContext,
  plan: ConfigPlan,
  templates: Templates,
): void {
  const isChanged = new Set(plan.changes.map(({ entry }) => entry))
  for (const client of ofKind(plan.after, 'openid_client')) {
    const missing = client.value.templates.find(
      (key) => !builtInTemplates.has(key) && templates.get(key)?.value.template === undefined,
    )
    if (missing === undefined) continue
    if (isChanged.has(client))
      throw new Refusal(
        'unknown_template',
        `The ${client.resource} names the template ${missing}, which does not exist.`,
      )
    // A client may outlive its template only if it did before.
    if (
      plan.changes.some(
        ({ action, entry }) => action === 'delete' && entry.kind === 'template' && entry.key === missing,
      )
    )
      throw new Refusal('template_in_use', `The ${client.resource} may ask with the template ${missing}.`)
  }
  const removed = new Map(
    plan.changes
      .filter(({ action, entry }) => action === 'delete' && entry.kind === 'registration')
      .map(({ entry }) => [entry.key, entry.resource]),
  )
  for (const { resource, registration = '' } of ofKind(plan.after, 'template'))
    if (removed.has(registration))
      throw new Refusal('registration_in_use', `The ${resource} names the ${removed.get(registration)}.`)
}

/** At no step may there be more than is allowed: endpoints and clients are deleted before others are created, the rest afterwards. */
async function requireRoom(ctx: DashboardContext, tenant_id: string, plan: ConfigPlan): Promise<void> {
  const { after, changes } = plan
  const deleted = changes.filter(({ action }) => action === 'delete').map(({ entry }) => entry)
  const require = (entries: readonly Entry[], max: number, what: string) => {
    if (entries.length > max)
      throw new Refusal(
        'too_many',
        `A tenant can have at most ${max} ${what}; there would be ${entries.length}.`,
      )
  }
  const peak = [...after, ...deleted]
  require(ofKind(peak, 'registration'), maxRegistrations, 'registrations')
  require(ofKind(after, 'openid_client'), maxOpenIdClients, 'OpenID clients')
  for (const environment of environments) {
    const here = <Found extends { value: { environment: Environment } }>(entries: Found[]) =>
      entries.filter(({ value }) => value.environment === environment)
    require(here(
      ofKind(after, 'webhook_endpoint'),
    ), maxWebhookEndpoints, `webhook endpoints in ${environment}`)
    require(here(ofKind(peak, 'anchor')), maxTenantAnchors, `anchors of its own in ${environment}`)
  }
  if (!changes.some(({ action, entry }) => action === 'create' && entry.kind === 'template')) return
  const limits = await ctx.db.transaction((tx) => lockPlanLimits(tx, tenant_id))
  const own = ofKind(peak, 'template').filter(({ value }) => value.template !== undefined)
  if (limits !== undefined) require(own, limits.templates, 'templates of its own with your plan')
}

async function checkUrl(ctx: DashboardContext, { action, entry, before }: PlannedChange): Promise<void> {
  const isEndpoint = entry.kind === 'webhook_endpoint' && action === 'create'
  const url = isEndpoint || entry.kind === 'alert_webhook' ? entry.value?.url : undefined
  if (url === undefined || (before?.kind === 'alert_webhook' && before.value?.url === url)) return
  const refusal = await checkReceiverUrl(ctx, url, 'url')
  if (refusal !== undefined)
    throw new Refusal(refusal.code, `The ${entry.resource} is not allowed: ${refusal.message}`)
}

/** Checks new registrations as they are checked when they are added. Anchors that are added first may decide, so then it waits. */
async function checkRegistrations(
  ctx: DashboardContext,
  tenant_id: string,
  made: readonly PlannedChange[],
): Promise<void> {
  if (made.some(({ entry }) => entry.kind === 'anchor')) return
  for (const { action, entry } of made) {
    if (entry.kind !== 'registration' || action !== 'create') continue
    const { certificate, dataset } = entry.value
    const { accepted, findings } = await previewRegistration(ctx, { tenant_id, certificate, dataset })
    const failure = findFailure(findings)
    if (!accepted)
      throw new Refusal(
        'registration_not_accepted',
        `The ${entry.resource} is not accepted. ${failure === undefined ? 'It cannot be read' : describeFinding(failure)}.`,
      )
  }
}
