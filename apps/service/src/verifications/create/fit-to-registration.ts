import { type AnyQuery, type BoundedMap, boundedMap, restrictTemplate } from '@vidimus/protocol'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Database } from '../../engine/db/index.ts'
import { insertVersion, readVersion } from '../../templates/index.ts'
import { type SelectedRegistration, findExcess } from '../../trust/index.ts'
import { type ResolvedQuery, maxWarnings } from './resolve-query.ts'

type ComparedRegistration = SelectedRegistration & { tenant_id: string }

/**
 * Leaves out of the query what the registration that the verification carries does not cover, if it can do without that, and warns of
 * it. Otherwise the query stays as it is, with warnings, or is refused if the tenant has chosen that: a wallet would warn its holder of
 * the same (ETSI TS 119 472-2 §4.4).
 */
export async function fitToRegistration(
  { db }: Pick<Context, 'db'>,
  resolved: ResolvedQuery,
  registration: ComparedRegistration,
): Promise<ResolvedQuery> {
  if (resolved.refusal !== undefined) return resolved
  const { places, within } = await compare(db, resolved, registration)
  const [first] = places
  if (first === undefined) return resolved
  if (within === undefined && registration.policy === 'refuse')
    return {
      ...resolved,
      refusal: new Refusal(
        'registration_exceeded',
        `The query asks for more than you are registered for. ${first}: is outside the registration`,
      ),
    }
  const consequence = within === undefined ? '' : ' and is left out'
  const warnings = places
    .slice(0, maxWarnings)
    .map((place) => `${place}: is outside the registration${consequence}`)
  return { ...resolved, ...within, warnings: [...resolved.warnings, ...warnings] }
}

type Comparison = {
  places: readonly string[]
  /** What is asked instead. Undefined if that cannot be done without something outside the registration. */
  within: Pick<ResolvedQuery, 'template_version' | 'query'> | undefined
}

const maxCached = 5000
/** By the random id of a registration and the hash of a template's version. The content of neither ever changes. */
const caches = new WeakMap<Database, BoundedMap<string, Comparison>>()

async function compare(
  db: Database,
  { template_version, query }: ResolvedQuery,
  registration: ComparedRegistration,
): Promise<Comparison> {
  // `resolveQuery` completed it.
  if (template_version === undefined) {
    const { places, within } = await findExcess({ db }, registration, query as AnyQuery)
    return { places, within: within && { query: within } }
  }
  const comparisons = caches.get(db) ?? boundedMap<string, Comparison>(maxCached)
  caches.set(db, comparisons)
  const name = `${registration.id} ${template_version.toString('base64')}`
  const known = comparisons.get(name)
  if (known !== undefined) return known
  const compared = await compareVersion(db, template_version, registration)
  comparisons.set(name, compared)
  return compared
}

/** What remains of a template is a version of its own: the request, the page and the response's verification read it like any other. */
async function compareVersion(
  db: Database,
  template_version: Buffer,
  registration: ComparedRegistration,
): Promise<Comparison> {
  const template = await readVersion(db, template_version)
  if (template === undefined) return { places: [], within: undefined }
  const { places, within } = await findExcess({ db }, registration, template.query)
  if (places.length === 0) return { places, within: { template_version } }
  const restricted = within && restrictTemplate(template, within)
  return {
    places,
    within: restricted && { template_version: await insertVersion(db, restricted) },
  }
}
