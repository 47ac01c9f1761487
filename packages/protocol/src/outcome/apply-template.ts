import { findDisclosedPath } from '../dcql/match/match-claims.ts'
import { selectClaims } from '../dcql/match/select-claims.ts'
import type { ClaimsPath } from '../dcql/query.ts'
import { isEqual, type Json, type JsonObject } from '../json.ts'
import { listDerivationSources } from '../template/check-derivation-sources.ts'
import { matchesExpected } from '../template/compare-claim.ts'
import { convertClaim } from '../template/convert-claim.ts'
import { findUnmetRequirement } from '../template/requirement.ts'
import { isOfAge } from '../template/is-of-age.ts'
import type { ClaimPlace, Derivation, TemplateRules } from '../template/template.ts'
import type { ExaminedCredential } from './examine-credential.ts'
import { findIssuerScope } from './issuer-scope.ts'
import { mergeClaims, warnAboutConflicts, type MergedClaims } from './merge-claims.ts'

export type AppliedTemplate = MergedClaims & {
  /** A description of each requirement that is not met. */
  unmet_requirements: string[]
}

/** What claims are derived with: the calendar day, and what the merchant expects. */
export type DerivationInput = { today: string; expected?: Readonly<Record<string, string>> | undefined }

/** Maps the claims to the names of the template, derives claims and drops their sources, and checks the requirements. */
export function applyTemplate(
  rules: TemplateRules,
  examined: ExaminedCredential[],
  input: DerivationInput,
): AppliedTemplate {
  const merged = rules.claims === undefined ? mergeClaims(examined) : renameClaims(rules.claims, examined)
  const claims = deriveClaims(rules.derive ?? {}, merged.claims, input)
  const unmet_requirements = Object.entries(rules.must ?? {}).flatMap(([name, requirement]) => {
    return findUnmetRequirement(name, claims[name], requirement) ?? []
  })
  const { claim_issuers } = merged
  return {
    claims,
    claim_issuers,
    examined: merged.examined.map((entry) => dropSources(rules, entry)),
    unmet_requirements,
  }
}

function renameClaims(
  vocabulary: Record<string, ClaimPlace[]>,
  examined: ExaminedCredential[],
): MergedClaims {
  const claims: JsonObject = Object.create(null)
  const claim_issuers: Record<string, string> = Object.create(null)
  const conflicts = new Map<ExaminedCredential, string[]>()
  for (const [name, places] of Object.entries(vocabulary)) {
    for (const { entry, value } of places.flatMap((place) => readPlace(place, examined))) {
      const first = claims[name]
      const issuer = first === undefined ? findIssuerScope(entry.credential) : undefined
      if (issuer !== undefined) claim_issuers[name] = issuer
      if (first === undefined) claims[name] = value
      else if (!isEqual(first, value)) conflicts.set(entry, [...(conflicts.get(entry) ?? []), name])
    }
  }
  const annotated = examined.map((entry) => warnAboutConflicts(entry, conflicts.get(entry) ?? []))
  return { claims, claim_issuers, examined: annotated }
}

/** Reads the value at a place from each presentation that it was requested of. A path with null gives a list (OpenID4VP 1.0 §7). */
function readPlace(
  { credential: id, path, as }: ClaimPlace,
  examined: ExaminedCredential[],
): { entry: ExaminedCredential; value: Json }[] {
  return examined.flatMap((entry) => {
    if (entry.query_id !== id) return []
    const disclosedPath = findDisclosedPath(path, entry.credential)
    if (!entry.paths.some((requested) => isEqual(requested, disclosedPath))) return []
    const values = selectClaims(entry.credential.claims, disclosedPath, entry.credential.issued_indexes)
    const converted = values.map((value) => convertClaim(value, as))
    const value = path.includes(null) ? converted : converted[0]
    return value === undefined ? [] : [{ entry, value }]
  })
}

function deriveClaims(
  derive: Record<string, Derivation>,
  claims: JsonObject,
  input: DerivationInput,
): JsonObject {
  const derived: JsonObject = Object.assign(Object.create(null), claims)
  for (const [name, rule] of Object.entries(derive)) {
    const source = claims[rule.from]
    const value = source === undefined ? undefined : deriveClaim(rule, source, input)
    if (derived[name] === undefined && value !== undefined) derived[name] = value
  }
  for (const { from } of Object.values(derive)) delete derived[from]
  return derived
}

function deriveClaim(
  rule: Derivation,
  source: Json,
  { today, expected = {} }: DerivationInput,
): boolean | undefined {
  if ('at_least_years' in rule) return isOfAge(source, rule.at_least_years, today)
  const value = Object.hasOwn(expected, rule.from) ? expected[rule.from] : undefined
  return value !== undefined && matchesExpected(source, value, rule.matches)
}

/** Drops the claims that others are derived from, in the credential's own claims too (TPL-6). */
function dropSources(rules: TemplateRules, examined: ExaminedCredential): ExaminedCredential {
  const sources = listDerivationSources(rules)
  const isSource = (path: ClaimsPath) =>
    sources.some((place) => place.credential === examined.query_id && isEqual(place.path, path))
  return { ...examined, paths: examined.paths.filter((path) => !isSource(path)) }
}
