import type { Lint, TemplateDetail } from '@vidimus/contract'
import {
  type Template,
  type Violation,
  checkTemplate,
  findQueryWarnings,
  isTemplate,
  sampleTemplate,
} from '@vidimus/protocol'
import type { NewAuditEntry } from '../audit/index.ts'
import { notFound } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import { assignTemplate, findExcessOf } from '../trust/index.ts'
import { getTemplate } from './list-templates.ts'
import { isBuiltIn } from './built-in/read-built-in.ts'
import type { TemplateContext } from './open-built-in.ts'
import { lockTemplates } from './store.ts'

/** The parts of a validated query that the lint reads. */
type Credential = {
  id: string
  format: string
  meta?: unknown
  claims?: { path: (string | number | null)[] }[]
  claim_sets?: unknown
}
type Query = { credentials: Credential[]; credential_sets?: { options: unknown[] }[] }

const pidTypes = { 'dc+sd-jwt': 'urn:eudi:pid:1', mso_mdoc: 'eu.europa.ec.eudi.pid.1' } as const
/** The claims that every PID has (PID rulebook, mandatory attributes and metadata), under the names of both formats. */
const mandatoryPidClaims = new Set([
  'family_name',
  'given_name',
  'birth_date',
  'birthdate',
  'birth_place',
  'place_of_birth',
  'nationality',
  'nationalities',
  'expiry_date',
  'date_of_expiry',
  'issuing_authority',
  'issuing_country',
])
const birthDates = new Set<unknown>(['birth_date', 'birthdate'])
const ageClaim = /^age_(?:over|equal_or_over|in_years|birth_year)/

/** Errors in a template and suggestions for improving it. Reads nothing but the template. */
export function lintTemplate(template: unknown): Lint[] {
  const violations = checkTemplate(template)
  if (violations.length > 0 || !isTemplate(template)) return violations.map(toLint)
  const sampled = sampleTemplate(template)
  return sampled === undefined ? [] : lintBound(sampled)
}

function lintBound(template: Template): Lint[] {
  const query = template.query as unknown as Query // validated by checkTemplate
  return [
    ...query.credentials.flatMap((credential, index) =>
      lintCredential({ template, query, credential }, `query.credentials[${index}]`),
    ),
    ...lintFormats(query.credentials),
    ...lintSets(template),
    ...lintRanges(template),
  ]
}

/** A range of birth dates is a question about an age, which can be answered without the date. */
function lintRanges({ claims = {}, must = {} }: Template): Lint[] {
  return Object.entries(must).flatMap(([name, requirement]): Lint[] => {
    const isRange = 'min' in requirement || 'max' in requirement
    const isBirthDate = claims[name]?.some(({ path }) => path.some((part) => birthDates.has(part))) === true
    if (!isRange || !isBirthDate) return []
    return [
      {
        level: 'warning',
        rule: 'asks_more_than_needed',
        place: `must.${name}`,
        message: 'A range of birth dates shows the date. To check an age, derive it from the date instead.',
      },
    ]
  })
}

/** A violation of the rules that a template has to satisfy. */
export function toLint({ place, rule }: Violation): Lint {
  return { level: 'error', rule: 'invalid', place, message: `${place}: ${rule}.` }
}

/** A template with `must` says what a response has to contain. */
function lintSets({ query, must }: Template): Lint[] {
  if (must !== undefined) return []
  return findQueryWarnings(query).map(({ place }) => ({
    level: 'warning',
    rule: 'all_sets_optional',
    place,
    message: 'Every credential set is optional. Any one credential completes the verification.',
  }))
}

type LintedCredential = { template: Template; query: Query; credential: Credential }

function lintCredential({ template, query, credential }: LintedCredential, place: string): Lint[] {
  if (credential.claims === undefined) return [lintMissingClaims(place)]
  const flat = credential.claim_sets === undefined
  const alternative = query.credential_sets?.some(({ options }) => options.length > 1) === true
  const optional =
    isPid(credential) && flat
      ? credential.claims.filter((claim) => !mandatoryPidClaims.has(claimName(claim.path)))
      : []
  const missingAges = optional.filter(({ path }) => ageClaim.test(claimName(path)))
  const others = optional.filter(({ path }) => !ageClaim.test(claimName(path)))
  return [
    ...(missingAges.length > 0 && !alternative ? [lintAges(place)] : []),
    ...others.map(({ path }): Lint => ({
      level: 'warning',
      rule: 'optional_claim_in_flat_list',
      place: `${place}.claims`,
      message: `Not every PID has ${claimName(path)}. Without claim_sets, a wallet that lacks it cannot respond.`,
    })),
    ...lintUnusedClaims(template, credential, place),
  ]
}

/** If a vocabulary says what is shown, any claim outside it is requested for nothing. */
function lintUnusedClaims({ claims: vocabulary }: Template, credential: Credential, place: string): Lint[] {
  if (vocabulary === undefined) return []
  const shown = new Set(
    Object.values(vocabulary)
      .flat()
      .filter((each) => each.credential === credential.id)
      .map(({ path }) => JSON.stringify(path)),
  )
  return (credential.claims ?? [])
    .filter(({ path }) => !shown.has(JSON.stringify(path)))
    .map(({ path }) => ({
      level: 'warning',
      rule: 'asks_more_than_needed',
      place: `${place}.claims`,
      message: `${path.join('.')} is requested, but nothing shows it or depends on it.`,
    }))
}

function lintMissingClaims(place: string): Lint {
  return {
    level: 'warning',
    rule: 'asks_more_than_needed',
    place,
    message: 'Without a list of claims, a wallet discloses only what it must. Name the claims that you need.',
  }
}

function lintAges(place: string): Lint {
  return {
    level: 'warning',
    rule: 'fails_on_base_pid',
    place: `${place}.claims`,
    message:
      'A PID does not need to have an age attribute. Offer the birth date as an alternative and derive the age from it.',
  }
}

function lintFormats(credentials: readonly Credential[]): Lint[] {
  const formats = new Set(credentials.filter(isPid).map(({ format }) => format))
  if (formats.size !== 1) return []
  const other = formats.has('mso_mdoc') ? 'dc+sd-jwt' : 'mso_mdoc'
  return [
    {
      level: 'hint',
      rule: 'missing_other_format',
      place: 'query.credentials',
      message: `Some wallets have the PID only as ${other}. Request either format, with credential_sets.`,
    },
  ]
}

function isPid({ format, meta }: Credential): boolean {
  const text = JSON.stringify(meta ?? {})
  return (format === 'dc+sd-jwt' || format === 'mso_mdoc') && text.includes(`"${pidTypes[format]}"`)
}

/** An mdoc's path starts with its namespace. */
function claimName(path: readonly unknown[]): string {
  const [head, next] = path
  return String(head === pidTypes.mso_mdoc ? next : head)
}

/** What a valid template asks for outside a registration. Without an id: outside the tenant's default, if it has one. */
export async function lintRegistration(
  ctx: Pick<Context, 'db'>,
  template: unknown,
  registration: { tenant_id: string; id: string | undefined },
): Promise<Lint[]> {
  const sampled = isTemplate(template) ? sampleTemplate(template) : undefined
  if (sampled === undefined) return []
  const excess = await findExcessOf(ctx, registration, sampled.query)
  return excess.map(({ place, what }) => ({
    level: 'warning',
    rule: 'outside_registration',
    place,
    message: `${what} is outside the registration.`,
  }))
}

type AssignRegistration = { by: NewAuditEntry['by']; key: string; registration_id: string | null }

/** Chooses the registration that a template, built-in or the tenant's own, is asked under; `null`: the default. */
export async function assignRegistration(
  ctx: TemplateContext,
  { by, key, registration_id }: AssignRegistration,
): Promise<TemplateDetail> {
  const { tenant_id } = by
  await ctx.db.transaction(async (tx) => {
    const exists = isBuiltIn(key) || (await lockTemplates(tx, { tenant_id, keys: [key] })).length > 0
    if (!exists) throw notFound('template_not_found')
    await assignTemplate(tx, { by, template: key, registration_id })
  })
  return getTemplate(ctx, tenant_id, key)
}
