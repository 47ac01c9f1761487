import { composeComparisons, composeMust, readConditions, type Condition } from './conditions.ts'
import { sources, vocabulary, type DocumentName, type Path, type CredentialSource } from './catalogue.ts'

/** The state of the form. A template is built from it alone, so that it can be read back. */
export type Draft = {
  name: string
  description: string
  /** Why it asks. Texts that are still empty are left out. */
  purpose: readonly { lang: string; content: string }[]
  documents: readonly DocumentName[]
  formats: readonly CredentialSource['format'][]
  claims: readonly string[]
  /** What claims must be, by their names. */
  must: Readonly<Record<string, Condition>>
  /** If a document has no age attribute, derive the age from the birth date and drop the date. */
  derive: boolean
}

export type Template = Record<string, unknown>

type RequestedClaim = { id: string; path: Path }

/** Builds the template that a form describes. Every selected document that has all the claims is an alternative. */
export function composeTemplate({
  name,
  description,
  purpose: texts,
  documents,
  formats,
  derive,
  ...draft
}: Draft): Template {
  const claims = inVocabularyOrder(draft.claims)
  const conditions = inVocabularyOrder(Object.keys(draft.must)).flatMap((claim) => {
    const condition = draft.must[claim]
    return condition === undefined ? [] : [[claim, condition] as const]
  })
  const ages = claims.filter((claim) => claim.startsWith('age_over_'))
  const matchingSources = sources.filter(
    (source) =>
      documents.includes(source.document) &&
      formats.includes(source.format) &&
      claims.every((claim) => source.paths[claim] !== undefined),
  )
  const derivesAge =
    derive &&
    ages.length > 0 &&
    !claims.includes('birth_date') &&
    matchingSources.some(({ paths }) => paths['birth_date'] !== undefined)
  const comparisons = composeComparisons(conditions)
  const purpose = texts.filter(({ content }) => content.trim() !== '')
  const claimNames = derivesAge ? [...claims, 'birth_date'] : [...claims]
  return {
    name,
    description: description.trim() === '' ? name : description,
    ...(purpose.length > 0 && { purpose }),
    query: {
      credentials: matchingSources.map((source) => toCredentialQuery(source, claims, derivesAge)),
      ...(matchingSources.length > 1 && {
        credential_sets: [{ options: matchingSources.map(({ id }) => [id]) }],
      }),
    },
    claims: Object.fromEntries(
      claimNames
        .map((claim) => [claim, toClaimPaths(claim, matchingSources)])
        .filter(([, paths]) => paths?.length),
    ),
    ...(conditions.length > 0 && { must: composeMust(conditions) }),
    ...((derivesAge || Object.keys(comparisons).length > 0) && {
      derive: { ...(derivesAge && Object.fromEntries(ages.map(deriveAge))), ...comparisons },
    }),
  }
}

function deriveAge(age: string) {
  return [age, { from: 'birth_date', at_least_years: Number(age.replace('age_over_', '')) }] as const
}

/** In the vocabulary's order, so that equal forms build equal templates. */
function inVocabularyOrder(names: readonly string[]): string[] {
  return vocabulary.flatMap(({ name }) => (names.includes(name) ? [name] : []))
}

function toCredentialQuery(source: CredentialSource, claims: readonly string[], derivesAge: boolean) {
  const { id, format, meta } = source
  const fallsBackToBirthDate = derivesAge && source.paths['birth_date'] !== undefined
  const requestedClaims = [...claims, ...(fallsBackToBirthDate ? ['birth_date'] : [])].flatMap((claim) =>
    toRequestedClaims(source, claim),
  )
  if (!fallsBackToBirthDate)
    return { id, format, meta, claims: requestedClaims.map(({ id: _, ...claim }) => claim) }
  const ages = claims.filter((claim) => claim.startsWith('age_over_'))
  const others = claims.filter((claim) => !ages.includes(claim))
  return { id, format, meta, claims: requestedClaims, claim_sets: [[...claims], [...others, 'birth_date']] }
}

function toRequestedClaims({ paths }: CredentialSource, claim: string): RequestedClaim[] {
  return (paths[claim] ?? []).map((path) => ({ id: claim, path }))
}

function toClaimPaths(claim: string, matchingSources: readonly CredentialSource[]) {
  const as = vocabulary.find(({ name }) => name === claim)?.as
  return matchingSources.flatMap(({ id, format, paths }) =>
    (paths[claim] ?? []).map((path) => ({
      credential: id,
      path,
      ...(as !== undefined && !(as === 'image' && format === 'dc+sd-jwt') && { as }),
    })),
  )
}

/** Reads a template back into the form. Undefined if the form could not have built it. */
export function readDraft(template: Template): Draft | undefined {
  const ids = new Set(asList(template['query'], 'credentials').map(({ id }) => id))
  const matchingSources = sources.filter(({ id }) => ids.has(id))
  const derive = Object.keys(asObject(template['derive'])).some((name) => name.startsWith('age_over_'))
  const names = Object.keys(asObject(template['claims']))
  const must = readConditions(asObject(template['must']))
  if (must === undefined) return undefined
  const draft: Draft = {
    name: asText(template['name']),
    description: asText(template['description']),
    purpose: readPurpose(template),
    documents: [...new Set(matchingSources.map(({ document }) => document))],
    formats: [...new Set(matchingSources.map(({ format }) => format))],
    claims: names.filter((name) => !(derive && name === 'birth_date')),
    must,
    derive,
  }
  return sameJson(composeTemplate(draft), template) ? draft : undefined
}

export function readPurpose(template: Template): { lang: string; content: string }[] {
  return asList(template, 'purpose').map(({ lang, content }) => ({
    lang: asText(lang),
    content: asText(content),
  }))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function asList(value: unknown, name: string): Record<string, unknown>[] {
  const list = asObject(value)[name]
  return Array.isArray(list) ? list.map(asObject) : []
}

function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b)
}

/** JSON with sorted members: the service may store them in another order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
