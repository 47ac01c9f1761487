import { checkBounds } from '../dcql/check/check-bounds.ts'
import { checkQuery } from '../dcql/check/check-query.ts'
import type { AnyQuery, Violation } from '../dcql/query.ts'
import { isNonEmptyArrayOf, isNonEmptyString, isObject, isStorableText } from '../json.ts'
import { checkDerivationSources } from './check-derivation-sources.ts'
import { checkRules } from './check-rules.ts'
import { checkVocabulary } from './check-vocabulary.ts'
import type { Template } from './template.ts'

/** The maximum number of places of all names in a template's vocabulary (GEN-11). */
export const maxPlaces = 400
const maxNameCharacters = 64
const maxDescriptionCharacters = 500
const maxPurposeCharacters = 300
const members = [
  'name',
  'description',
  'purpose',
  'query',
  'claims',
  'must',
  'derive',
  'clear_claims',
  'sources',
]

/** The violations of a template without parameters, by place and rule. */
export function checkPlainTemplate(template: unknown): Violation[] {
  const violations = checkStructure(template)
  if (!isObject(template)) return violations
  return [
    ...violations,
    ...checkPlaces(template.claims),
    ...(isQuery(template.query) ? checkBounds(template.query) : []),
  ]
}

/** True if it can be used, bounds aside. */
export function isPlainTemplate(template: unknown): template is Template {
  return checkStructure(template).length === 0
}

function checkStructure(template: unknown): Violation[] {
  if (!isObject(template)) return [{ place: 'template', rule: 'must be an object' }]
  const violations = [...checkMembers(template), ...checkQuery(template.query), ...checkRules(template)]
  const { query } = template
  if (isQuery(query)) violations.push(...checkVocabulary(template.claims, query))
  // Without a violation so far, its members have the right types.
  return violations.length > 0 ? violations : checkDerivationSources(template as Template)
}

/** Bounded because each place is looked up in each presentation. */
function checkPlaces(vocabulary: unknown): Violation[] {
  const places = isObject(vocabulary) ? Object.values(vocabulary).flat().length : 0
  if (places <= maxPlaces) return []
  return [{ place: 'claims', rule: `at most ${maxPlaces} places over all names, got ${places}` }]
}

function checkMembers(template: Record<string, unknown>): Violation[] {
  const { name, description, sources = ['none'] } = template
  const unknown = Object.keys(template).some((member) => !members.includes(member))
  return [
    ...(unknown
      ? [{ place: 'template', rule: `has unknown members; allowed are ${members.join(', ')}` }]
      : []),
    ...checkText(name, 'name', maxNameCharacters),
    ...checkText(description, 'description', maxDescriptionCharacters),
    ...(template.purpose === undefined ? [] : checkPurpose(template.purpose)),
    ...(isNonEmptyArrayOf(sources, isNonEmptyString)
      ? []
      : [{ place: 'sources', rule: 'must be a non-empty array of strings' }]),
  ]
}

/** No language twice, so no more texts than pairs of letters. */
function checkPurpose(purpose: unknown): Violation[] {
  if (!isNonEmptyArrayOf(purpose, isObject))
    return [{ place: 'purpose', rule: 'must be a non-empty array of {"lang", "content"}' }]
  return purpose.flatMap(({ lang, content, ...others }, index) => {
    const place = `purpose[${index}]`
    const repeated = purpose.findIndex((each) => each.lang === lang) < index
    return [
      ...(typeof lang === 'string' && /^[a-z]{2}$/.test(lang)
        ? []
        : [{ place: `${place}.lang`, rule: 'must be two lower-case letters' }]),
      ...(repeated ? [{ place: `${place}.lang`, rule: 'must not occur twice' }] : []),
      ...(Object.keys(others).length > 0
        ? [{ place, rule: 'has unknown members; allowed are lang, content' }]
        : []),
      ...checkText(content, `${place}.content`, maxPurposeCharacters),
    ]
  })
}

function checkText(text: unknown, place: string, limit: number): Violation[] {
  if (isNonEmptyString(text) && isStorableText(text) && Array.from(text).length <= limit) return []
  return [{ place, rule: `must be text of 1-${limit} characters` }]
}

function isQuery(query: unknown): query is AnyQuery {
  return isObject(query) && isNonEmptyArrayOf(query.credentials, isObject)
}
