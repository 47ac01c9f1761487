import { builtInTemplateNames } from '@vidimus/contract'
import { type BoundedMap, type Template, boundedMap, isTemplate, isYesNo } from '@vidimus/protocol'
import { type Principal, Refusal, suggest } from '../engine/basics/index.ts'
import { type ChangeVersion, type Database, validatedCache } from '../engine/db/index.ts'
import type { TemplateContext } from './open-built-in.ts'
import { type TemplateKey, findTemplates, findVersion, insertVersions, listTemplateKeys } from './store.ts'
import { toTemplateVersion } from './version.ts'

type ResolvingContext = Pick<TemplateContext, 'db' | 'builtInTemplates'>

/**
 * The current version of a key: a built-in template's or the tenant's own. Undefined if there is none. A request that has read a
 * change version passes it, which saves a query.
 */
export async function resolveTemplate(
  { db, builtInTemplates }: ResolvingContext,
  template: TemplateKey,
  version?: ChangeVersion,
): Promise<Buffer | undefined> {
  return builtInTemplates.get(template.key)?.hash ?? templates.at(db, version, template)
}

const templates = validatedCache<TemplateKey, Buffer>({
  maxBatch: 100,
  maxWaiting: 2000,
  nameOf: ({ tenant_id, key }) => `${tenant_id} ${key}`,
  async read(db, keys) {
    const { asOf, rows } = await findTemplates(db, keys)
    const byPlace = new Map(rows.map(({ place, version }) => [place, version]))
    return { asOf, values: keys.map((_, index) => byPlace.get(index + 1)) }
  },
})

type CachedVersion = { template: Template | undefined }

const maxCached = 1000

const caches = new WeakMap<Database, BoundedMap<string, CachedVersion>>()

/** The template with a given hash. A version never changes, so those that were read and validated once are cached. */
export async function readVersion(db: Database, hash: Buffer): Promise<Template | undefined> {
  const versions = caches.get(db) ?? boundedMap<string, CachedVersion>(maxCached)
  caches.set(db, versions)
  const name = hash.toString('base64')
  const known = versions.get(name)
  if (known !== undefined) return known.template
  const found = await findVersion(db, hash)
  const template = isTemplate(found) ? found : undefined
  versions.set(name, { template })
  return template
}

/** Stores a version that only verifications refer to, and returns its hash. */
export async function insertVersion(db: Database, template: Template): Promise<Buffer> {
  const version = toTemplateVersion(template)
  await insertVersions(db, [version])
  return version.hash
}

/** The refusal of a template that does not exist, with the one that was probably meant, of those that the caller may use. */
export async function unknownTemplate(
  { db }: Pick<TemplateContext, 'db'>,
  principal: Principal,
  key: string,
): Promise<Refusal> {
  const usable =
    principal.kind === 'device'
      ? principal.allowed_templates.filter((each) => each !== key)
      : [...builtInTemplateNames, ...(await listTemplateKeys(db, principal.tenant_id))]
  const meant = suggest(key, usable)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new Refusal('unknown_template', `There is no template ${key}.${hint}`)
}

/** Throws unless every template exists now, so that a misspelt key is noticed here and not at the counter. */
export async function requireTemplates(
  ctx: ResolvingContext,
  principal: Principal,
  keys: readonly string[],
): Promise<void> {
  const { tenant_id, change_version } = principal
  const distinct = [...new Set(keys)]
  const versions = await Promise.all(
    distinct.map((key) => resolveTemplate(ctx, { tenant_id, key }, change_version)),
  )
  const unknown = distinct.find((_, index) => versions[index] === undefined)
  if (unknown !== undefined) throw await unknownTemplate(ctx, principal, unknown)
}

/** The first of these templates that discloses more than a yes or no now. One that does not exist discloses nothing. */
export async function findDisclosingTemplate(
  ctx: ResolvingContext,
  { tenant_id, keys }: { tenant_id: string; keys: readonly string[] },
  version?: ChangeVersion,
): Promise<string | undefined> {
  for (const key of new Set(keys)) {
    const hash = await resolveTemplate(ctx, { tenant_id, key }, version)
    const template = hash === undefined ? undefined : await readVersion(ctx.db, hash)
    if (template !== undefined && !isYesNo(template)) return key
  }
  return undefined
}
