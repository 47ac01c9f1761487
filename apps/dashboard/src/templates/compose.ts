import { sources, vocabulary, type DocumentName, type Path, type Source } from './catalogue.ts'

/** What the form holds. A template is made of it and of nothing else, so that it can be read back. */
export type Draft = {
  name: string
  description: string
  documents: readonly DocumentName[]
  formats: readonly Source['format'][]
  claims: readonly string[]
  /** Claims that must be true, or must not be empty. */
  must: readonly string[]
  /** Where a document has no age attribute, work the age out of the birth date, and drop that. */
  derive: boolean
}

export type Template = Record<string, unknown>

type Asked = { id: string; path: Path; intent_to_retain?: boolean }

/** Writes the template that a form describes: every chosen document that has all of the claims is an alternative. */
export function composeTemplate({
  name,
  description,
  documents,
  formats,
  derive,
  ...draft
}: Draft): Template {
  const [claims, must] = [inOrder(draft.claims), inOrder(draft.must)]
  const ages = claims.filter((claim) => claim.startsWith('age_over_'))
  const answering = sources.filter(
    (source) =>
      documents.includes(source.document) &&
      formats.includes(source.format) &&
      claims.every((claim) => source.paths[claim] !== undefined),
  )
  const derives =
    derive &&
    ages.length > 0 &&
    !claims.includes('birth_date') &&
    answering.some(({ paths }) => paths['birth_date'] !== undefined)
  const named = derives ? [...claims, 'birth_date'] : [...claims]
  return {
    name,
    description: description.trim() === '' ? name : description,
    query: {
      credentials: answering.map((source) => credentialOf(source, claims, derives)),
      ...(answering.length > 1 && { credential_sets: [{ options: answering.map(({ id }) => [id]) }] }),
    },
    claims: Object.fromEntries(
      named.map((claim) => [claim, placesOf(claim, answering)]).filter(([, places]) => places?.length),
    ),
    ...(must.length > 0 && { must: Object.fromEntries(must.map((claim) => [claim, requirementOf(claim)])) }),
    ...(derives && {
      derive: Object.fromEntries(
        ages.map((age) => [
          age,
          { from: 'birth_date', at_least_years: Number(age.replace('age_over_', '')) },
        ]),
      ),
    }),
  }
}

/** The vocabulary's own order, so that one form makes one template. */
function inOrder(names: readonly string[]): string[] {
  return vocabulary.flatMap(({ name }) => (names.includes(name) ? [name] : []))
}

function credentialOf(source: Source, claims: readonly string[], derives: boolean) {
  const { id, format, meta } = source
  const falls = derives && source.paths['birth_date'] !== undefined
  const asked = [...claims, ...(falls ? ['birth_date'] : [])].flatMap((claim) => askedFor(source, claim))
  if (!falls) return { id, format, meta, claims: asked.map(({ id: _, ...claim }) => claim) }
  const ages = claims.filter((claim) => claim.startsWith('age_over_'))
  const others = claims.filter((claim) => !ages.includes(claim))
  return { id, format, meta, claims: asked, claim_sets: [[...claims], [...others, 'birth_date']] }
}

function askedFor({ format, paths }: Source, claim: string): Asked[] {
  return (paths[claim] ?? []).map((path) => ({
    id: claim,
    path,
    ...(format === 'mso_mdoc' && { intent_to_retain: false }),
  }))
}

function placesOf(claim: string, answering: readonly Source[]) {
  const as = vocabulary.find(({ name }) => name === claim)?.as
  return answering.flatMap(({ id, format, paths }) =>
    (paths[claim] ?? []).map((path) => ({
      credential: id,
      path,
      ...(as !== undefined && !(as === 'image' && format === 'dc+sd-jwt') && { as }),
    })),
  )
}

function requirementOf(claim: string) {
  return claim.startsWith('age_over_') ? { equals: true } : { not_empty: true }
}

/** Reads a template back into the form, when the form could have made it; undefined when somebody wrote it by hand. */
export function readDraft(template: Template): Draft | undefined {
  const ids = new Set(listOf(template['query'], 'credentials').map(({ id }) => id))
  const answering = sources.filter(({ id }) => ids.has(id))
  const derive = template['derive'] !== undefined
  const names = Object.keys(objectOf(template['claims']))
  const draft: Draft = {
    name: textOf(template['name']),
    description: textOf(template['description']),
    documents: [...new Set(answering.map(({ document }) => document))],
    formats: [...new Set(answering.map(({ format }) => format))],
    claims: names.filter((name) => !(derive && name === 'birth_date')),
    must: Object.keys(objectOf(template['must'])),
    derive,
  }
  return sameJson(composeTemplate(draft), template) ? draft : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listOf(value: unknown, name: string): Record<string, unknown>[] {
  const list = objectOf(value)[name]
  return Array.isArray(list) ? list.map(objectOf) : []
}

function sameJson(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b)
}

/** As text, whatever the order of names: the service may keep them in another. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
