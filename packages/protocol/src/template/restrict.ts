import type { AnyQuery } from '../dcql/query.ts'
import { isPlainTemplate } from './check.ts'
import { isSamePlace, listPlaces } from './check-derivation-sources.ts'
import type { Template } from './template.ts'

/**
 * The template with a query that asks for less, and without the names and derivations for which nothing is requested any more. Undefined
 * if its requirements could then never be met.
 */
export function restrictTemplate(
  { claims, derive, clear_claims, ...template }: Template,
  query: AnyQuery,
): Template | undefined {
  const requested = listPlaces(query)
  const kept =
    claims &&
    Object.fromEntries(
      Object.entries(claims)
        .map(
          ([name, places]) =>
            [name, places.filter((place) => requested.some((each) => isSamePlace(each, place)))] as const,
        )
        .filter(([, places]) => places.length > 0),
    )
  const derivable =
    derive &&
    Object.fromEntries(
      Object.entries(derive).filter(([, { from }]) => kept !== undefined && Object.hasOwn(kept, from)),
    )
  const restricted = {
    ...template,
    query,
    ...(kept && { claims: kept }),
    ...(derivable && { derive: derivable }),
    ...(clear_claims && {
      clear_claims: clear_claims.filter((name) =>
        [derivable, template.must].some((rules) => rules !== undefined && Object.hasOwn(rules, name)),
      ),
    }),
  }
  // Without a vocabulary, claims keep the names that they have in paths.
  const names = new Set<unknown>(requested.flatMap(({ path }) => path))
  const isReachable =
    claims !== undefined || Object.keys(template.must ?? {}).every((name) => names.has(name))
  return isReachable && isPlainTemplate(restricted) ? restricted : undefined
}
