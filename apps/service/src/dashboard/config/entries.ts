import { hash } from 'node:crypto'
import type { Environment, Scope, TenantConfig } from '@vidimus/contract'
import { canonicalize } from '@vidimus/evidence'
import { Refusal } from '../../engine/basics/index.ts'
import { type PemAnchor, normaliseRegistration, splitAnchors } from '../../trust/index.ts'

type Part<Name extends keyof TenantConfig> = Exclude<TenantConfig[Name], undefined>
type Items<Name extends 'webhook_endpoints' | 'openid_clients'> = Part<Name>[number]

/** What a configuration consists of: each is created, changed and deleted by itself. */
type EntryValues = {
  anchor: PemAnchor
  trust_policy: Exclude<Part<'trust'>['policy'], undefined>
  registration: Exclude<Part<'registrations'>['items'], undefined>[number]
  registration_settings: Exclude<Part<'registrations'>['settings'], undefined>
  template: Part<'templates'>[string]
  brand: Part<'brand'>
  policies: Part<'policies'>
  holder_page: Part<'holder_page'>
  request_log: Part<'request_log'>
  alert_webhook: Part<'alert_webhook'>
  webhook_endpoint: Items<'webhook_endpoints'>
  openid_client: Items<'openid_clients'>
}
export type EntryKind = keyof EntryValues

/** An entry of a configuration. `key` recognises it among those of its kind; `same` is equal for entries that need no change. */
export type EntryOf<Kind extends EntryKind> = {
  kind: Kind
  key: string
  resource: string
  value: EntryValues[Kind]
  same: string
  /** Of what is stored. */
  id?: string | undefined
  /** The fingerprint of the registration that a template names. */
  registration?: string | undefined
}
export type Entry = { [Kind in EntryKind]: EntryOf<Kind> }[EntryKind]

/** The scope that changes each kind. */
export const scopeOf: Record<EntryKind, Scope> = {
  anchor: 'trust:manage',
  trust_policy: 'trust:manage',
  registration: 'trust:manage',
  registration_settings: 'trust:manage',
  template: 'templates:manage',
  brand: 'settings:manage',
  policies: 'settings:manage',
  holder_page: 'settings:manage',
  request_log: 'settings:manage',
  alert_webhook: 'settings:manage',
  webhook_endpoint: 'webhooks:manage',
  openid_client: 'openid_clients:manage',
}

export function nameEntry({ kind, key }: Pick<Entry, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}

type Resolving = {
  /** The fingerprint of the registration that a template refers to by name or fingerprint. */
  findRegistration: (reference: string) => string
  /** The id of an item of the configuration, if it is stored. */
  idOf?: (item: object) => string | undefined
}

/** The entries of a configuration in a stable order. Refused if it names something twice, or what could not be stored. */
export function toEntries(
  config: TenantConfig,
  { findRegistration, idOf = () => undefined }: Resolving,
): Entry[] {
  const { trust, registrations, templates } = config
  const anchors = (trust?.anchors ?? []).flatMap((each) => splitAnchors(each))
  const entries: Entry[] = [
    ...anchors.map(toAnchor),
    ...(registrations?.items ?? []).map((each) => ({ ...toRegistration(each), id: idOf(each) })),
    ...Object.entries(templates ?? {}).map(([key, value]) => toTemplate(key, value, findRegistration)),
    ...number((config.webhook_endpoints ?? []).map((each) => ({ ...toEndpoint(each), id: idOf(each) }))),
    ...number((config.openid_clients ?? []).map((each) => ({ ...toClient(each), id: idOf(each) }))),
    ...single('trust_policy', 'trust policy', trust?.policy),
    ...single('registration_settings', 'registration settings', registrations?.settings),
    ...single('brand', 'brand', config.brand),
    ...single('policies', 'policies', config.policies),
    ...single('holder_page', "holder's page", config.holder_page),
    ...single('request_log', 'request log', config.request_log),
    ...single('alert_webhook', 'alert webhook', config.alert_webhook),
  ]
  const sorted = entries.toSorted((a, b) => compareTexts(nameEntry(a), nameEntry(b)))
  const twice = sorted.find((entry, index) => index > 0 && nameEntry(entry) === nameOf(sorted[index - 1]))
  if (twice !== undefined)
    throw new Refusal('invalid_request', `The configuration has the ${twice.resource} twice.`)
  if ((registrations?.items ?? []).filter((each) => each.default).length > 1)
    throw new Refusal('invalid_request', 'registrations.items: only one can be the default.')
  return sorted
}

function nameOf(entry: Entry | undefined): string | undefined {
  return entry && nameEntry(entry)
}

/** Which kinds the parts of a configuration list, so that what they lack is known to be unwanted. */
export function listedKinds({ trust, registrations, ...config }: TenantConfig): Set<EntryKind> {
  return new Set<EntryKind>([
    ...(trust?.anchors === undefined ? [] : (['anchor'] as const)),
    ...(registrations?.items === undefined ? [] : (['registration'] as const)),
    ...(config.templates === undefined ? [] : (['template'] as const)),
    ...(config.webhook_endpoints === undefined ? [] : (['webhook_endpoint'] as const)),
    ...(config.openid_clients === undefined ? [] : (['openid_client'] as const)),
  ])
}

/** The environments of which a key sees and changes entries. Whoever may change live may change test. */
export function environmentsOf({ environment }: { environment: Environment }): Environment[] {
  return environment === 'live' ? ['live', 'test'] : ['test']
}

/** The configuration with these entries, in a stable order. Parts without an entry are empty. */
export function fromEntries(entries: readonly Entry[], kinds: ReadonlySet<EntryKind>): TenantConfig {
  const all = <Kind extends EntryKind>(kind: Kind) =>
    entries.filter((entry): entry is Entry & EntryOf<Kind> => entry.kind === kind)
  const values = <Kind extends EntryKind>(kind: Kind): EntryValues[Kind][] =>
    all(kind).map(({ value }) => value as EntryValues[Kind]) // filtered by its kind
  return {
    version: 1,
    brand: values('brand')[0],
    policies: values('policies')[0],
    holder_page: values('holder_page')[0],
    request_log: values('request_log')[0],
    alert_webhook: values('alert_webhook')[0],
    trust: { policy: values('trust_policy')[0], anchors: values('anchor') },
    registrations: { settings: values('registration_settings')[0], items: values('registration') },
    templates: Object.fromEntries(all('template').map(({ key, value }) => [key, value])),
    ...(kinds.has('webhook_endpoint') && { webhook_endpoints: values('webhook_endpoint') }),
    openid_clients: values('openid_client'),
  }
}

function single<Kind extends EntryKind>(
  kind: Kind,
  resource: string,
  value: EntryValues[Kind] | undefined,
): Entry[] {
  // The value has the type of its kind.
  return value === undefined ? [] : [{ kind, key: '', resource, value, same: canonicalize(value) } as Entry]
}

const shownFingerprint_characters = 16

function toAnchor(value: PemAnchor): EntryOf<'anchor'> {
  const { environment, role, pem } = value
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  const fingerprint = hash('sha256', der)
  return {
    kind: 'anchor',
    key: `${environment} ${role} ${fingerprint}`,
    resource: `${environment} ${role} anchor ${fingerprint.slice(0, shownFingerprint_characters)}`,
    value,
    same: canonicalize(value),
  }
}

function toRegistration(given: EntryValues['registration']): EntryOf<'registration'> {
  const { fingerprint, ...input } = normaliseRegistration(given)
  const value = { name: given.name, ...input, default: given.default }
  return {
    kind: 'registration',
    key: fingerprint,
    resource: `registration ${given.name} (${fingerprint.slice(0, shownFingerprint_characters)})`,
    value,
    same: canonicalize(value),
  }
}

function toTemplate(
  key: string,
  value: EntryValues['template'],
  findRegistration: Resolving['findRegistration'],
): EntryOf<'template'> {
  const { template, registration } = value
  const resolved = registration === undefined ? undefined : findRegistration(registration)
  return {
    kind: 'template',
    key,
    resource: `template ${key}`,
    value,
    same: canonicalize([template ?? null, resolved ?? null]),
    registration: resolved,
  }
}

function toEndpoint(given: EntryValues['webhook_endpoint']): EntryOf<'webhook_endpoint'> {
  const { environment, url, events, description, enabled } = given
  const value = { environment, url, events: events.toSorted(), description, enabled }
  return {
    kind: 'webhook_endpoint',
    key: `${environment} ${url}`,
    resource: `${environment} webhook endpoint ${url}`,
    value,
    same: canonicalize(value),
  }
}

function toClient(given: EntryValues['openid_client']): EntryOf<'openid_client'> {
  const { environment, name, authentication, subject_claim } = given
  const value = {
    ...given,
    redirect_uris: [...new Set(given.redirect_uris)],
    templates: [...new Set(given.templates)],
    // Without a subject claim nobody is recognised, so that it is not decided.
    cross_device: subject_claim !== undefined && given.cross_device,
  }
  return {
    kind: 'openid_client',
    key: `${environment} ${name} ${authentication}`,
    resource: `${environment} OpenID client ${name}`,
    value,
    same: canonicalize(value),
  }
}

/** Those with the same key are told apart by their order. */
function number<Numbered extends Entry>(entries: readonly Numbered[]): Numbered[] {
  const counts = new Map<string, number>()
  return entries
    .toSorted((a, b) => compareTexts(a.same, b.same))
    .map((entry) => {
      const count = (counts.get(entry.key) ?? 0) + 1
      counts.set(entry.key, count)
      return count === 1 ? entry : { ...entry, key: `${entry.key} #${count}` }
    })
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
