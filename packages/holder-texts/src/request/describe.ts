import { fillIn } from '../fill-in.ts'
import type { HolderTexts } from '../languages/en.ts'
import { cleanText } from './clean-text.ts'
import { nameClaim } from './name-claim.ts'
import { nameDocument } from './name-document.ts'
import { readDerivations, toPlace, type RequestRules } from './read-derivations.ts'
import { readQuery, type Path, type RequestedCredential, type RequestedSet } from './read-query.ts'

/** Something that is requested, in words. Everything in `claims` is requested from one of `documents`. */
export type Ask = { documents: string[]; claims: string[]; optional: boolean }

/** Above the bounds of a query (GEN-11), except for repeated claims. */
const maxAsks = 40
const maxDocuments = 50
const maxClaims = 100

type Describing = { texts: HolderTexts; lang: string; rules: RequestRules | undefined }

/**
 * Describes in words what a query requests. All asks belong to the request together, except optional ones. A claim that
 * only some of the documents or of their claim sets disclose is included, and says so.
 */
export function describeQuery(
  query: unknown,
  rules: RequestRules | undefined,
  { texts, lang }: { texts: HolderTexts; lang: string },
): Ask[] {
  const describing = { texts, lang, rules }
  return readQuery(query)
    .slice(0, maxAsks)
    .map((set) => ({
      documents: limit(describeDocuments(set, describing), maxDocuments, texts),
      claims: limit(describeClaims(set, describing), maxClaims, texts),
      optional: set.optional,
    }))
}

function describeDocuments({ options }: RequestedSet, { texts, lang }: Describing): string[] {
  const together = new Intl.ListFormat(lang, { type: 'conjunction' })
  const documents = options.flatMap((option) => {
    const [first = [], ...others] = option.map(({ types }) => labelTypes(types, texts))
    if (others.length === 0) return first
    const either = new Intl.ListFormat(lang, { type: 'disjunction' })
    return [together.format([first, ...others].map((labels) => either.format(labels)))]
  })
  return [...new Set(documents)]
}

function labelTypes(types: string[], { documents, request }: HolderTexts): string[] {
  if (types.length === 0) return [documents.any]
  const labels = types.map((type) => {
    const name = nameDocument(type)
    return name === undefined ? fillIn(request.unknown, { name: cleanText(type) }) : documents[name]
  })
  return [...new Set(labels)]
}

function describeClaims({ options }: RequestedSet, describing: Describing): string[] {
  const { claims, request } = describing.texts
  const disclosures = options.map((option) => listDisclosures(option, describing))
  const labels = new Set(disclosures.flatMap(({ possible }) => [...possible.keys()]))
  if (labels.size === 0) return [request.document_only]
  return [...labels].map((claim) => {
    const always = disclosures.every(({ certain }) => certain.has(claim))
    const onlyDerives = disclosures.every(({ possible }) => possible.get(claim) !== 'kept')
    const isCompared = disclosures.some(({ compared }) => compared.has(claim))
    if (onlyDerives && isCompared) {
      const text = fillIn(request.compared, { claim })
      return always ? text : fillIn(request.depends_on_document, { claim: text })
    }
    if (onlyDerives && claim === claims.birth_date)
      return fillIn(always ? request.derives_age : request.derives_age_if_needed, { claim })
    return always ? claim : fillIn(request.depends_on_document, { claim })
  })
}

type Disclosures = {
  /** Labels of all claims that may be disclosed, and whether they serve only to derive others. */
  possible: Map<string, 'kept' | 'source'>
  /** Labels of the claims in every claim set, including those that are derived. */
  certain: Set<string>
  /** Labels of the claims that are compared with what the merchant has. */
  compared: Set<string>
}

/** What a wallet that chooses this option discloses. */
function listDisclosures(option: RequestedCredential[], { texts, rules }: Describing): Disclosures {
  const derivations = readDerivations(rules)
  const possible: Disclosures['possible'] = new Map()
  const certain = new Set<string>()
  const compared = new Set<string>()
  for (const credential of option) {
    const label = (path: Path) => labelClaim(credential.format, path, texts)
    const all = new Map(credential.claim_sets.flat().map((path) => [toPlace(credential, path), label(path)]))
    for (const [place, text] of all) {
      const uses = derivations.filter(({ source }) => source.has(place))
      const use = uses.length > 0 ? 'source' : 'kept'
      if (uses.some(({ compares }) => compares)) compared.add(text)
      if (possible.get(text) !== 'kept') possible.set(text, use)
    }
    const sets = credential.claim_sets.map((paths) => {
      const places = paths.map((path) => toPlace(credential, path))
      const derived = derivations.filter(({ source }) => places.some((place) => source.has(place)))
      const targets = derived.flatMap(({ target }) => [...target].flatMap((place) => all.get(place) ?? []))
      return new Set([...paths.map(label), ...targets])
    })
    const [first = new Set<string>(), ...others] = sets
    for (const text of first) if (others.every((set) => set.has(text))) certain.add(text)
  }
  return { possible, certain, compared }
}

export function labelClaim(format: unknown, path: Path, { claims, request }: HolderTexts): string {
  const claim = nameClaim(format, path)
  if (claim !== undefined) return fillIn(claims[claim.name], { years: claim.years ?? '' })
  const name = cleanText(path.filter((part) => part !== null).join(' / '))
  return fillIn(request.unknown, { name: name.replaceAll('_', ' ') })
}

function limit(lines: string[], max: number, { request }: HolderTexts): string[] {
  if (lines.length <= max) return lines
  return [...lines.slice(0, max - 1), fillIn(request.more, { count: lines.length - max + 1 })]
}
