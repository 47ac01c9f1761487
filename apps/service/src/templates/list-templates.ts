import type { TemplateDetail, TemplateSummary, UsableTemplate } from '@vidimus/contract'
import {
  type ParameterisedTemplate,
  type SavedTemplate,
  type Template,
  bindTemplate,
  isTemplate,
} from '@vidimus/protocol'
import { type Principal, Refusal, notFound } from '../engine/basics/index.ts'
import { describeTemplateRegistration } from '../trust/index.ts'
import { isBuiltIn } from './built-in/read-built-in.ts'
import type { TemplateContext } from './open-built-in.ts'
import { readSaved, readVersion, resolveTemplate } from './resolve-template.ts'
import {
  listTemplates as readTemplates,
  listUsableTemplates as readUsableTemplates,
  readTemplateBodies,
} from './store.ts'

type ListingContext = Pick<TemplateContext, 'db' | 'builtInTemplates'>

const version_characters = 16

/** The built-in templates and, for a tenant, its own. */
export async function listTemplates(
  { db, builtInTemplates }: ListingContext,
  tenantId: string | undefined,
): Promise<TemplateSummary[]> {
  const own = tenantId === undefined ? [] : await readTemplates(db, tenantId)
  return [
    ...Array.from(builtInTemplates, ([key, { template }]) => ({
      key,
      name: template.name,
      description: template.description,
      built_in: true,
    })),
    ...own.map((row) => ({ ...row, built_in: false })),
  ]
}

/**
 * The templates that a caller can create verifications with: the built-in ones and its tenant's own, for a device those it may use. A
 * device gives no parameters, so it sees what their defaults make of a template.
 */
export async function listUsableTemplates(
  { db, builtInTemplates }: ListingContext,
  principal: Principal,
): Promise<UsableTemplate[]> {
  const isUsable = ({ key }: { key: string }) =>
    principal.kind !== 'device' || principal.allowed_templates.includes(key)
  const builtIn = Array.from(builtInTemplates, ([key, { template, hash }]) => ({ key, template, hash }))
  const own = await readUsableTemplates(db, principal.tenant_id)
  const views = [
    ...builtIn.filter(isUsable).map(async (each) => viewBuiltIn(each, principal.kind === 'device')),
    ...own.filter(isUsable).map(async (row): Promise<UsableTemplate> => {
      const bound =
        row.parameters === null || principal.kind !== 'device'
          ? undefined
          : await readVersion(db, row.version)
      return {
        key: row.key,
        name: bound?.name ?? row.name,
        description: bound?.description ?? row.description,
        version: viewVersion(row.version),
        built_in: false,
        claims: bound === undefined ? (row.claim_names ?? nameByLastPart(row.paths)) : listClaims(bound),
        ...(bound === undefined && viewParameters(row.parameters ?? {})),
        ...(row.compared.length > 0 && { expected: [...new Set(row.compared)] }),
        updated_at: row.updated_at,
      }
    }),
  ]
  return Promise.all(views)
}

type BuiltIn = { key: string; template: SavedTemplate; hash: Buffer }

function viewBuiltIn({ key, template: saved, hash }: BuiltIn, binds: boolean): UsableTemplate {
  const bound = bindTemplate(saved)
  const template = binds && 'template' in bound ? bound.template : saved
  return {
    key,
    name: template.name,
    description: template.description,
    version: viewVersion(hash),
    built_in: true,
    claims: listClaims(template as Template), // what was saved was checked, and has the same names with its parameters in them
    ...('parameters' in template && viewParameters(template.parameters)),
  }
}

/** Those that a caller gives: a table is looked up by one of them. */
function viewParameters(parameters: ParameterisedTemplate['parameters']): Pick<UsableTemplate, 'parameters'> {
  const given = Object.entries(parameters).flatMap(([name, parameter]) =>
    'by' in parameter ? [] : [[name, parameter] as const],
  )
  return given.length === 0 ? {} : { parameters: Object.fromEntries(given) }
}

function viewVersion(hash: Buffer): string {
  return hash.toString('hex').slice(0, version_characters)
}

function listClaims({ claims, derive = {}, query }: Template): string[] {
  // What others are derived from is neither stored nor returned.
  const sources = new Set(Object.values(derive).map(({ from }) => from))
  if (claims !== undefined)
    return [...new Set([...Object.keys(claims), ...Object.keys(derive)])].filter((name) => !sources.has(name))
  // A built-in template was checked when it was read.
  const credentials = query.credentials as { claims?: { path: unknown[] }[] }[]
  return nameByLastPart(credentials.flatMap((each) => each.claims?.map(({ path }) => path) ?? []))
}

/** Without a vocabulary claims keep the names that the issuer gave them: the last name of the path. */
function nameByLastPart(paths: readonly (readonly unknown[])[]): string[] {
  const names = paths.map((path) => path.findLast((part) => typeof part === 'string'))
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}

/** The JSON of a tenant's own templates, all together, that one export contains. */
export const maxExportedTemplates_bytes = 2 * 1024 * 1024

/** A tenant's own templates by their keys. */
export async function exportTemplates(
  { db }: Pick<TemplateContext, 'db'>,
  tenant_id: string,
): Promise<Map<string, SavedTemplate>> {
  const { rows, complete } = await readTemplateBodies(db, {
    tenant_id,
    max_bytes: maxExportedTemplates_bytes,
  })
  if (!complete)
    throw new Refusal(
      'too_many',
      `Your templates are larger than ${maxExportedTemplates_bytes / 1024} KiB together. Read them one by one.`,
    )
  return new Map(rows.flatMap(({ key, body }) => (isTemplate(body) ? [[key, body]] : [])))
}

/** The current version of a template: a built-in one, or the tenant's own. */
export async function getTemplate(
  ctx: TemplateContext,
  tenant_id: string,
  key: string,
): Promise<TemplateDetail> {
  const [template, registration] = await Promise.all([
    readTemplate(ctx, tenant_id, key),
    describeTemplateRegistration(ctx, { tenant_id, template: key }),
  ])
  const { name, description } = template
  return {
    key,
    name,
    description,
    built_in: isBuiltIn(key),
    template: { ...template },
    ...(registration !== undefined && { registration }),
  }
}

export async function readTemplate(
  ctx: ListingContext,
  tenant_id: string,
  key: string,
): Promise<SavedTemplate> {
  const current = await resolveTemplate(ctx, { tenant_id, key })
  const template = current === undefined ? undefined : await readSaved(ctx.db, current.version)
  if (template === undefined) throw notFound('template_not_found')
  return template
}
