import { fillIn } from '../fill-in.ts'
import type { HolderTexts } from '../languages/en.ts'
import { labelClaim } from './describe.ts'
import { nameClaim, type ClaimName } from './name-claim.ts'
import { nameDocument } from './name-document.ts'
import { readDerivations, toPlace, type RequestRules } from './read-derivations.ts'
import { readQuery, type RequestedCredential } from './read-query.ts'

/** A request in two lines. What exactly is read from which document is left to its full description. */
export type RequestSummary = { headline: string; summary: string }

const maxClaims = 3

/** Tells what a query is about. What only serves to derive another claim, and what is optional, is left out. */
export function summariseQuery(
  query: unknown,
  rules: RequestRules | undefined,
  { texts, lang }: { texts: HolderTexts; lang: string },
): RequestSummary {
  const sets = readQuery(query)
  const required = sets.filter(({ optional }) => !optional)
  const credentials = (required.length > 0 ? required : sets).flatMap(({ options }) => options.flat())
  const claims = listClaims(credentials, rules, texts)
  return {
    headline: writeHeadline(credentials, [...claims.values()], texts),
    summary: writeSummary([...claims.keys()], texts, lang),
  }
}

/** The claims that are kept or compared, by their labels. Undefined for those without a name. */
function listClaims(
  credentials: RequestedCredential[],
  rules: RequestRules | undefined,
  texts: HolderTexts,
): Map<string, ClaimName | undefined> {
  // What is compared is what the request is about, although it is not kept.
  const sources = readDerivations(rules).flatMap(({ source, compares }) => (compares ? [] : [source]))
  const kept = credentials.flatMap((credential) =>
    credential.claim_sets
      .flat()
      .filter((path) => !sources.some((source) => source.has(toPlace(credential, path))))
      .map(
        (path) => [labelClaim(credential.format, path, texts), nameClaim(credential.format, path)] as const,
      ),
  )
  return new Map(kept)
}

const addressClaims = new Set<string | undefined>([
  'address',
  'street_address',
  'house_number',
  'postal_code',
  'locality',
  'region',
  'country',
  'residence_address',
] satisfies ClaimName['name'][])
const identityClaims = new Set<string | undefined>([
  'family_name',
  'given_name',
  'birth_date',
  'personal_number',
  'document_number',
] satisfies ClaimName['name'][])

function writeHeadline(
  credentials: RequestedCredential[],
  claims: (ClaimName | undefined)[],
  { headlines }: HolderTexts,
): string {
  const all = (check: (claim: ClaimName | undefined) => boolean) => claims.length > 0 && claims.every(check)
  const [first] = claims
  if (all((claim) => claim?.name === 'age_over' && claim.years === first?.years))
    return fillIn(headlines.age, { years: first?.years ?? '' })
  if (all((claim) => addressClaims.has(claim?.name))) return headlines.address
  const types = credentials.flatMap((credential) => credential.types)
  if (types.length > 0 && types.every((type) => nameDocument(type) === 'mdl'))
    return headlines.driving_licence
  return claims.some((claim) => identityClaims.has(claim?.name)) ? headlines.identity : headlines.other
}

function writeSummary(labels: string[], { request }: HolderTexts, lang: string): string {
  const [first, ...others] = labels
  if (first === undefined) return request.document_only
  const listed = [first, ...others.map((label) => writeInside(label, lang))]
  if (listed.length <= maxClaims) return new Intl.ListFormat(lang, { type: 'conjunction' }).format(listed)
  const more = fillIn(request.more, { count: listed.length - maxClaims })
  return `${listed.slice(0, maxClaims).join(', ')} ${more}`
}

/** A label within a sentence. German keeps its capitals, and every language those of “IBAN”. */
function writeInside(label: string, lang: string): string {
  const [letter = '', next = ''] = label
  const capitals = lang === 'de' || next !== next.toLocaleLowerCase(lang)
  return capitals ? label : letter.toLocaleLowerCase(lang) + label.slice(letter.length)
}
