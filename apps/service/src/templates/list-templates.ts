import type { TemplateDetail, TemplateSummary, UsableTemplate } from '@vidimus/contract'
import { type Template, isTemplate } from '@vidimus/protocol'
import { type Principal, Refusal, notFound } from '../engine/basics/index.ts'
import { describeTemplateRegistration } from '../trust/index.ts'
import { isBuiltIn } from './built-in/read-built-in.ts'
import type { TemplateContext } from './open-built-in.ts'
import { readVersion, resolveTemplate } from './resolve-template.ts'
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

/** The templates that a caller can create verifications with: the built-in ones and its tenant's own, for a device those it may use. */
export async function listUsableTemplates(
  { db, builtInTemplates }: ListingContext,
  principal: Principal,
): Promise<UsableTemplate[]> {
  const builtIn = Array.from(builtInTemplates, ([key, { template, hash }]) => ({
    key,
    name: template.name,
    description: template.description,
    version: viewVersion(hash),
    built_in: true,
    claims: listClaims(template),
  }))
  const own = (await readUsableTemplates(db, principal.tenant_id)).map((row) => ({
    key: row.key,
    name: row.name,
    description: row.description,
    version: viewVersion(row.version),
    built_in: false,
    claims: row.claim_names ?? nameByLastPart(row.paths),
    updated_at: row.updated_at,
  }))
  const all = [...builtIn, ...own]
  return principal.kind === 'device'
    ? all.filter(({ key }) => principal.allowed_templates.includes(key))
    : all
}

function viewVersion(hash: Buffer): string {
  return hash.toString('hex').slice(0, version_characters)
}

function listClaims({ claims, derive = {}, query }: Template): string[] {
  // What others are derived from is neither stored nor returned.
  const sources = new Set(Object.values(derive).map(({ from }) => from))
  if (claims !== undefined) return Object.keys(claims).filter((name) => !sources.has(name))
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
): Promise<Map<string, Template>> {
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

export async function readTemplate(ctx: ListingContext, tenant_id: string, key: string): Promise<Template> {
  const version = await resolveTemplate(ctx, { tenant_id, key })
  const template = version === undefined ? undefined : await readVersion(ctx.db, version)
  if (!isTemplate(template)) throw notFound('template_not_found')
  return template
}
