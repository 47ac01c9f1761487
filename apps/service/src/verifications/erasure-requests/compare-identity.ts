import { claimPaths, readQuery } from '@vidimus/holder-texts'
import { type CredentialResult, type Json, type Template, matchesExpected } from '@vidimus/protocol'

/** What tells people apart and stays the same for years, with how it is compared. The names are those of `claimPaths`. */
const identifying = {
  family_name: 'name',
  given_name: 'name',
  birth_date: 'date',
  birth_family_name: 'name',
  birth_given_name: 'name',
  personal_number: 'exact',
  document_number: 'exact',
} as const satisfies Partial<Record<keyof typeof claimPaths, string>>
type Identifying = keyof typeof identifying

/** Fewer do not identify anybody, and these are shared by namesakes. */
const required = ['family_name', 'given_name', 'birth_date'] as const satisfies readonly Identifying[]
/** Nobody else has these. */
const unique: readonly Identifying[] = ['personal_number', 'document_number']

// The keys of a constant are exactly those of its type.
const names = Object.keys(identifying) as Identifying[]
const namesByElement = new Map<string, Identifying>(
  names.flatMap((name) => claimPaths[name].map((path) => [path, name] as const)),
)

/** The names in credentials, all that is read of a stored result. */
export const identifyingElements: readonly string[] = [...namesByElement.keys()]

/** Whether a template identifies people: some document that it accepts always shows names and birth date. */
export function asksForIdentity({ query, claims = {}, derive = {} }: Template): boolean {
  const toText = (credential: string, path: readonly unknown[]) => JSON.stringify([credential, path])
  const sources = Object.values(derive).flatMap(({ from }) => claims[from] ?? [])
  const dropped = new Set(sources.map(({ credential, path }) => toText(credential, path)))
  return readQuery(query)
    .flatMap(({ options }) => options.flat())
    .some(({ id, format, claim_sets }) =>
      claim_sets.every((paths) => {
        const shown = paths.filter((path) => !dropped.has(toText(id, path)))
        const asked = shown.map((path) => (format === 'mso_mdoc' ? path.slice(1) : path).join('.'))
        return required.every((name) => claimPaths[name].some((path) => asked.includes(path)))
      }),
    )
}

export type DisclosedCredential = Pick<CredentialResult, 'format' | 'doctype_or_vct' | 'claims'>

/** What two results say about their holders. Namesakes have the same names and birth date. */
export type IdentityMatch = 'same_person' | 'namesakes' | 'none'

/** Compares document with document, because a wallet can have documents of several people. */
export function compareIdentities(
  presented: readonly DisclosedCredential[],
  stored: readonly DisclosedCredential[],
): IdentityMatch {
  const matches = presented.flatMap((one) => stored.map((other) => compareDocuments(one, other)))
  return (['same_person', 'namesakes'] as const).find((match) => matches.includes(match)) ?? 'none'
}

function compareDocuments(one: DisclosedCredential, other: DisclosedCredential): IdentityMatch {
  const [ours, theirs] = [readIdentity(one), readIdentity(other)]
  const sameType = one.doctype_or_vct === other.doctype_or_vct
  // A person has one number on a passport and another one on a driving licence.
  const shared = names.filter(
    (name) => ours.has(name) && theirs.has(name) && (name !== 'document_number' || sameType),
  )
  const isEqual = (name: Identifying) =>
    ours
      .get(name)
      ?.some((value) => theirs.get(name)?.some((text) => matchesExpected(value, text, identifying[name])))
  if (!required.every((name) => shared.includes(name)) || !shared.every(isEqual)) return 'none'
  return unique.some((name) => shared.includes(name)) ? 'same_person' : 'namesakes'
}

/** The identifying values of a document. A name can have several spellings, of which one suffices. */
function readIdentity({ format, claims }: DisclosedCredential): Map<Identifying, string[]> {
  const elements: [string, Json][] =
    format === 'mso_mdoc'
      ? Object.values(claims).flatMap((namespace) =>
          typeof namespace === 'object' && namespace !== null && !Array.isArray(namespace)
            ? Object.entries(namespace)
            : [],
        )
      : Object.entries(claims)
  const found = new Map<Identifying, string[]>()
  for (const [element, value] of elements) {
    const name = namesByElement.get(element)
    if (name !== undefined && typeof value === 'string' && value !== '')
      found.set(name, [...(found.get(name) ?? []), value])
  }
  return found
}
