import { texts, type Language } from './languages.ts'
import { describeQuery, type Ask } from './request/describe.ts'
import type { RequestRules } from './request/read-derivations.ts'

/** Describes what a query requests in a language. `rules` are those of its template, if it has one. */
export function describeRequest(query: unknown, rules: RequestRules | undefined, lang: Language): Ask[] {
  return describeQuery(query, rules, { texts: texts(lang), lang })
}
