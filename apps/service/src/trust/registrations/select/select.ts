import type { RegistrationPolicy } from '@vidimus/contract'
import {
  type AnyQuery,
  type RegisteredCredential,
  boundedMap,
  findUnregistered,
  trimToRegistration,
} from '@vidimus/protocol'
import { notFound } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { type ChangeVersion, validatedCache } from '../../../engine/db/index.ts'
import { type RegistrationKey, findRegistration, maxAssignments } from '../store.ts'
import { type SelectableRow, readSelectable } from './select-store.ts'

/** The registration that a new verification is requested under. */
export type SelectedRegistration = {
  id: string
  /** The hash of the `verifier_info` that the verification carries. */
  info: Buffer
  policy: RegistrationPolicy
}

/**
 * The registration that the template names, or else the tenant's default; a query without a template uses the default. Undefined if
 * the tenant has neither. A request that has read a change version passes it, which saves a query.
 */
export async function selectRegistration(
  { db }: Pick<Context, 'db'>,
  { tenant_id, template }: { tenant_id: string; template: string | undefined },
  version?: ChangeVersion,
): Promise<SelectedRegistration | undefined> {
  const selectable = (await selectables.at(db, version, tenant_id)) ?? nothing
  return (template === undefined ? undefined : selectable.byTemplate.get(template)) ?? selectable.default
}

type Selectable = {
  default: SelectedRegistration | undefined
  byTemplate: ReadonlyMap<string, SelectedRegistration>
}

const nothing: Selectable = { default: undefined, byTemplate: new Map() }

/** Most tenants have no registration, so their absence is cached too. */
const selectables = validatedCache<string, Selectable>({
  maxBatch: 100,
  maxWaiting: 5000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { asOf, rows } = await readSelectable(db, ids, { maxTemplates: maxAssignments })
    const byTenant = Map.groupBy(rows, ({ tenant_id }) => tenant_id)
    return { asOf, values: ids.map((id) => toSelectable(byTenant.get(id))) }
  },
})

function toSelectable(rows: SelectableRow[] | undefined): Selectable {
  if (rows === undefined) return nothing
  const selected = rows.map(({ id, info, policy, is_default, templates }) => ({
    registration: { id, info, policy },
    is_default,
    templates,
  }))
  return {
    default: selected.find(({ is_default }) => is_default)?.registration,
    byTemplate: new Map(
      selected.flatMap(({ registration, templates }) => templates.map((key) => [key, registration] as const)),
    ),
  }
}

/** A part of a query that a registration does not cover. */
type Excess = { place: string; what: string }

const maxCachedRegistrations = 500
/** By the random id of a registration, whose content never changes. */
const registered = boundedMap<string, readonly RegisteredCredential[]>(maxCachedRegistrations)

/** What a query asks for outside a registration, and the query without that, if it can do without it. */
export type RegistrationExcess = {
  /** Printable ASCII that contains nothing of the query but indexes. */
  places: readonly string[]
  within: AnyQuery | undefined
}

export async function findExcess(
  { db }: Pick<Context, 'db'>,
  registration: RegistrationKey,
  query: AnyQuery,
): Promise<RegistrationExcess> {
  const credentials = await readRegistered({ db }, registration)
  if (credentials === undefined) return { places: [], within: query }
  const places = findPlaces(query, credentials).map(({ place }) => place)
  return {
    places,
    within: places.length === 0 ? query : trimToRegistration(query, { credentials: [...credentials] }),
  }
}

/** The same for people. Without an id, the tenant's default registration is compared, if it has one. */
export async function findExcessOf(
  ctx: Pick<Context, 'db'>,
  { tenant_id, id: given }: { tenant_id: string; id: string | undefined },
  query: AnyQuery,
): Promise<Excess[]> {
  const id = given ?? (await selectRegistration(ctx, { tenant_id, template: undefined }))?.id
  if (id === undefined) return []
  const row = await findRegistration(ctx.db, { tenant_id, id })
  if (row === undefined) throw notFound('registration_not_found')
  return findPlaces(query, row.contents.credentials)
}

async function readRegistered(
  { db }: Pick<Context, 'db'>,
  key: RegistrationKey,
): Promise<readonly RegisteredCredential[] | undefined> {
  const known = registered.get(key.id)
  if (known !== undefined) return known
  // Undefined if it was just removed: then nothing is compared with it, as if it had been removed before.
  const credentials = (await findRegistration(db, key))?.contents.credentials
  if (credentials !== undefined) registered.set(key.id, credentials)
  return credentials
}

/** Each place once, although several types of a credential may be outside. */
function findPlaces(query: AnyQuery, credentials: readonly RegisteredCredential[]): Excess[] {
  const places = query.credentials.flatMap((credential, index) => {
    const place = `query.credentials[${index}]`
    const requests = findUnregistered({ credentials: [credential] }, { credentials: [...credentials] })
    return requests.flatMap(({ paths, type, format }): Excess[] =>
      paths === undefined
        ? [{ place, what: type ?? format }]
        : paths.map((path) => ({ place: placeOfClaim(credential, place, path), what: path.join('.') })),
    )
  })
  return [...new Map(places.map((each) => [each.place, each])).values()]
}

/** `findUnregistered` returns the paths of the query itself. */
function placeOfClaim(credential: Record<string, unknown>, place: string, path: unknown): string {
  const claims: unknown[] = Array.isArray(credential['claims']) ? credential['claims'] : []
  const index = claims.findIndex(
    (claim) => typeof claim === 'object' && claim !== null && 'path' in claim && claim.path === path,
  )
  return `${place}.claims[${index}]`
}
