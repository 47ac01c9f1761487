import type { AnyQuery } from '../dcql/query.ts'
import { isPlainTemplate } from './check.ts'
import { isSamePlace, listPlaces } from './check-derivation-sources.ts'
import type { Template } from './template.ts'

/**
 * The template with a query that asks for less, and without the names and derivations for which nothing is requested any more. Undefined
 * if its requirements could then never be met.
 */
export function restrictTemplate(
  { claims, derive, ...template }: Template,
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
  const restricted = {
    ...template,
    query,
    ...(kept && { claims: kept }),
    ...(derive && {
      derive: Object.fromEntries(
        Object.entries(derive).filter(([, { from }]) => kept !== undefined && Object.hasOwn(kept, from)),
      ),
    }),
  }
  // Without a vocabulary, claims keep the names that they have in paths.
  const names = new Set<unknown>(requested.flatMap(({ path }) => path))
  const isReachable =
    claims !== undefined || Object.keys(template.must ?? {}).every((name) => names.has(name))
  return isReachable && isPlainTemplate(restricted) ? restricted : undefined
}
