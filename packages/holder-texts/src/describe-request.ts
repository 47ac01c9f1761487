import type { Language } from './language-codes.ts'
import { texts } from './languages.ts'
import { describeQuery, type Ask } from './request/describe.ts'
import type { RequestRules } from './request/read-derivations.ts'
import { summariseQuery, type RequestSummary } from './request/summarise.ts'

/** Describes what a query requests in a language. `rules` are those of its template, if it has one. */
export function describeRequest(query: unknown, rules: RequestRules | undefined, lang: Language): Ask[] {
  return describeQuery(query, rules, { texts: texts(lang), lang })
}

/** What a query is about: a headline, and its most important claims in one line. */
export function summariseRequest(
  query: unknown,
  rules: RequestRules | undefined,
  lang: Language,
): RequestSummary {
  return summariseQuery(query, rules, { texts: texts(lang), lang })
}
