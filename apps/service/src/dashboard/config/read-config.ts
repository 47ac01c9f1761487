import { hash } from 'node:crypto'
import type { TenantConfig } from '@vidimus/contract'
import { canonicalize } from '@vidimus/evidence'
import { getBrand, getHolderPage, getPolicies } from '../../accounts/index.ts'
import { getAlertWebhook, listEndpoints } from '../../deliveries/index.ts'
import { type KeyPrincipal, Refusal } from '../../engine/basics/index.ts'
import { listClients } from '../../holder/index.ts'
import { exportTemplates } from '../../templates/index.ts'
import {
  type ExportedRegistration,
  exportRegistrations,
  exportTenantTrust,
  getRegistrationSettings,
} from '../../trust/index.ts'
import type { DashboardContext } from '../context.ts'
import { getRequestLogSettings } from '../request-log/record.ts'
import { type Entry, type EntryKind, environmentsOf, fromEntries, scopeOf, toEntries } from './entries.ts'

/** Configurations that are read, planned or applied at a time. */
export const maxConfigReads = { each: 4, all: 8 }

/** A tenant's configuration as a key may see it. */
export type CurrentConfig = {
  config: TenantConfig
  text: string
  etag: string
  entries: Entry[]
  registrations: ExportedRegistration[]
}

/**
 * Reads a tenant's configuration. URLs of webhook endpoints may contain tokens, so only keys that manage them see them, as elsewhere in
 * the API; of an environment that is not the key's, a test key sees nothing.
 */
export async function readConfig(
  ctx: DashboardContext,
  by: Pick<KeyPrincipal, 'tenant_id' | 'environment' | 'scopes'>,
): Promise<CurrentConfig> {
  const { tenant_id } = by
  const environments = environmentsOf(by)
  const seesEndpoints = by.scopes.includes(scopeOf.webhook_endpoint)
  const [brand, policies, holder_page, { enabled }, { webhook }, trust, settings, registrations, templates] =
    await Promise.all([
      getBrand(ctx, tenant_id),
      getPolicies(ctx, tenant_id),
      getHolderPage(ctx, tenant_id),
      getRequestLogSettings(ctx, tenant_id),
      getAlertWebhook(ctx, tenant_id),
      exportTenantTrust(ctx, tenant_id),
      getRegistrationSettings(ctx, tenant_id),
      exportRegistrations(ctx, tenant_id),
      exportTemplates(ctx, tenant_id),
    ])
  const endpoints = seesEndpoints
    ? (
        await Promise.all(environments.map((environment) => listEndpoints(ctx, { tenant_id, environment })))
      ).flat()
    : []
  const clients = (await listClients(ctx, { tenant_id })).filter((each) =>
    environments.includes(each.environment),
  )

  const refer = referenceOf(registrations)
  const assigned = new Map(registrations.flatMap((each) => each.templates.map((key) => [key, refer(each)])))
  const keys = new Set([...templates.keys(), ...assigned.keys()])
  const ids = new Map<object, string>()
  const identify = <Item extends object>(item: Item, id: string): Item => {
    ids.set(item, id)
    return item
  }
  const found: TenantConfig = {
    version: 1,
    brand,
    policies,
    holder_page,
    request_log: { enabled },
    alert_webhook: webhook === undefined ? null : { url: webhook.url },
    trust: { ...trust, anchors: trust.anchors.filter((each) => environments.includes(each.environment)) },
    registrations: { settings, items: registrations },
    templates: Object.fromEntries(
      [...keys].map((key) => {
        const template = templates.get(key)
        const registration = assigned.get(key)
        return [
          key,
          { ...(template && { template: { ...template } }), ...(registration && { registration }) },
        ]
      }),
    ),
    ...(seesEndpoints && { webhook_endpoints: endpoints }),
    openid_clients: clients.map((client) => identify(toClient(client), client.id)),
  }
  for (const each of [...registrations, ...endpoints]) ids.set(each, each.id)
  const entries = toEntries(found, {
    findRegistration: findRegistrationIn(registrations),
    idOf: (item) => ids.get(item),
  })
  const config = fromEntries(entries, new Set<EntryKind>(seesEndpoints ? ['webhook_endpoint'] : []))
  const text = canonicalize(config)
  return {
    config,
    text,
    etag: `"${hash('sha256', text).slice(0, 32)}"`,
    entries,
    registrations,
  }
}

type Clients = Awaited<ReturnType<typeof listClients>>

function toClient(client: Clients[number]): Exclude<TenantConfig['openid_clients'], undefined>[number] {
  const { environment, name, redirect_uris, templates, purpose, authentication } = client
  const { id_token_algorithm, subject_claim, cross_device = false, pkce_required } = client
  return {
    environment,
    name,
    redirect_uris,
    templates,
    ...(purpose !== undefined && { purpose }),
    authentication,
    id_token_algorithm,
    ...(subject_claim !== undefined && { subject_claim }),
    cross_device,
    pkce_required,
  }
}

type NamedRegistration = Pick<ExportedRegistration, 'name' | 'fingerprint'>

/** A registration's name, or its fingerprint if it shares the name with another. */
function referenceOf(all: readonly NamedRegistration[]): (registration: NamedRegistration) => string {
  return ({ name, fingerprint }) =>
    all.filter((each) => each.name === name || each.fingerprint === name).length > 1 ? fingerprint : name
}

/** Finds what a template refers to, among the given registrations first and then among the stored ones. */
export function findRegistrationIn(
  ...lists: readonly (readonly NamedRegistration[])[]
): (reference: string) => string {
  return (reference) => {
    for (const list of lists) {
      const found = new Set(
        list
          .filter(({ name, fingerprint }) => name === reference || fingerprint === reference)
          .map(({ fingerprint }) => fingerprint),
      )
      const [first] = found
      if (first === undefined) continue
      if (found.size === 1) return first
      if (found.has(reference)) return reference
      throw new Refusal(
        'invalid_request',
        `Several registrations are called ${reference}. Name the SHA-256 of the certificate instead.`,
      )
    }
    throw new Refusal('invalid_request', `templates: there is no registration ${reference}.`)
  }
}
