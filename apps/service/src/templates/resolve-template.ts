import { type CreateVerification, builtInTemplateNames } from '@vidimus/contract'
import {
  type BoundedMap,
  type SavedTemplate,
  type Template,
  bindTemplate,
  checkExpected,
  boundedMap,
  findMissingInput,
  isAllClear,
  isTemplate,
  isYesNo,
} from '@vidimus/protocol'
import { type Principal, Refusal, suggest } from '../engine/basics/index.ts'
import { type ChangeVersion, type Database, validatedCache } from '../engine/db/index.ts'
import type { TemplateContext } from './open-built-in.ts'
import {
  type CurrentVersion,
  type TemplateKey,
  findTemplates,
  findVersion,
  insertVersions,
  listTemplateKeys,
} from './store.ts'
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
): Promise<CurrentVersion | undefined> {
  const builtIn = builtInTemplates.get(template.key)
  if (builtIn === undefined) return templates.at(db, version, template)
  return { version: builtIn.hash, asks_input: 'parameters' in builtIn.template }
}

const templates = validatedCache<TemplateKey, CurrentVersion>({
  maxBatch: 100,
  maxWaiting: 2000,
  nameOf: ({ tenant_id, key }) => `${tenant_id} ${key}`,
  async read(db, keys) {
    const { asOf, rows } = await findTemplates(db, keys)
    const byPlace = new Map(rows.map(({ place, ...current }) => [place, current]))
    return { asOf, values: keys.map((_, index) => byPlace.get(index + 1)) }
  },
})

type CachedVersion = {
  saved: SavedTemplate | undefined
  /** With the defaults of its parameters. */
  bound: Template | undefined
}

const maxCached = 1000

const caches = new WeakMap<Database, BoundedMap<string, CachedVersion>>()

/** The template with a given hash, with its defaults. Verifications have versions without parameters. */
export async function readVersion(db: Database, hash: Buffer): Promise<Template | undefined> {
  return (await readCached(db, hash)).bound
}

/** The template with a given hash as it was saved. */
export async function readSaved(db: Database, hash: Buffer): Promise<SavedTemplate | undefined> {
  return (await readCached(db, hash)).saved
}

/** A version never changes, so those that were read and validated once are cached. */
async function readCached(db: Database, hash: Buffer): Promise<CachedVersion> {
  const versions = caches.get(db) ?? boundedMap<string, CachedVersion>(maxCached)
  caches.set(db, versions)
  const name = hash.toString('base64')
  const known = versions.get(name)
  if (known !== undefined) return known
  const found = await findVersion(db, hash)
  const saved = isTemplate(found) ? found : undefined
  const bound = saved && bindTemplate(saved)
  const read = { saved, bound: bound && 'template' in bound ? bound.template : undefined }
  versions.set(name, read)
  return read
}

/** Stores a version that only verifications refer to, and returns its hash. */
export async function insertVersion(db: Database, template: Template): Promise<Buffer> {
  const version = toTemplateVersion(template)
  await insertVersions(db, [version])
  return version.hash
}

const inserted = new WeakMap<Database, BoundedMap<string, true>>()

/**
 * The version that results from these values for a template's parameters, if what is expected is what it compares: request, page and response read it like any other. There
 * are no more of them than combinations of values, and each is stored once.
 */
export async function bindVersion(
  db: Database,
  version: Buffer,
  { parameters = {}, expected = {} }: Pick<CreateVerification, 'parameters' | 'expected'>,
): Promise<Buffer | Refusal> {
  const saved = await readSaved(db, version)
  if (saved === undefined) throw new Error('A template has a version that is none.')
  const bound = bindTemplate(saved, parameters)
  const violation = 'violation' in bound ? bound.violation : checkExpected(bound.template, expected)
  if (violation !== undefined || 'violation' in bound)
    return new Refusal('invalid_request', `${violation?.place}: ${violation?.rule}.`)
  if (bound.template === saved) return version
  const { hash, body } = toTemplateVersion(bound.template)
  const known = inserted.get(db) ?? boundedMap<string, true>(maxCached)
  inserted.set(db, known)
  const name = hash.toString('base64')
  if (known.get(name) === undefined) await insertVersions(db, [{ hash, body }])
  known.set(name, true)
  return hash
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

/** Throws unless every template exists now and needs nothing but its key, so that a mistake is noticed here and not at the counter. */
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
  await requireNoInput(ctx, { tenant_id, keys })
}

type TenantTemplates = { tenant_id: string; keys: readonly string[] }

/** Throws if a template needs more than its key: a till or an OpenID client has nothing else to give. */
export async function requireNoInput(
  ctx: ResolvingContext,
  { tenant_id, keys }: TenantTemplates,
): Promise<void> {
  for (const key of new Set(keys)) {
    const current = await resolveTemplate(ctx, { tenant_id, key })
    if (current?.asks_input !== true) continue
    const saved = await readSaved(ctx.db, current.version)
    if (saved !== undefined) refuseInput(saved, `template ${key}`)
  }
}

export function refuseInput(template: SavedTemplate, name: string): void {
  const missing = findMissingInput(template)
  if (missing !== undefined)
    throw new Refusal(
      'invalid_request',
      `The ${name} needs ${missing}, which only your own program can give.`,
    )
}

/** The first of these templates that discloses more than a yes or no now. One that does not exist discloses nothing. */
export function findDisclosingTemplate(
  ctx: ResolvingContext,
  asked: TenantTemplates,
  change?: ChangeVersion,
): Promise<string | undefined> {
  return findTemplateUnless(isYesNo, ctx, asked, change)
}

/** The first of these templates of which sealing hides a result. */
export function findSealableTemplate(
  ctx: ResolvingContext,
  asked: TenantTemplates,
): Promise<string | undefined> {
  return findTemplateUnless(isAllClear, ctx, asked)
}

async function findTemplateUnless(
  meets: (template: Template) => boolean,
  ctx: ResolvingContext,
  { tenant_id, keys }: TenantTemplates,
  change?: ChangeVersion,
): Promise<string | undefined> {
  for (const key of new Set(keys)) {
    const current = await resolveTemplate(ctx, { tenant_id, key }, change)
    const template = current === undefined ? undefined : await readVersion(ctx.db, current.version)
    if (template !== undefined && !meets(template)) return key
  }
  return undefined
}
