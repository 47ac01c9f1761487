import { asObject, readList, type Path, type RequestedCredential } from './read-query.ts'

/** The members of a template that say which claims are derived from others. */
export type RequestRules = { claims?: unknown; derive?: unknown }

type Derivation = { source: ReadonlySet<string>; target: ReadonlySet<string>; compares: boolean }

/** Which paths a template uses only to derive other claims, and which paths are derived. */
export function readDerivations(rules: RequestRules | undefined): Derivation[] {
  return Object.entries(asObject(rules?.derive)).map(([name, derivation]) => ({
    source: readPlaces(rules, asObject(derivation)['from']),
    target: readPlaces(rules, name),
    compares: asObject(derivation)['matches'] !== undefined,
  }))
}

export function toPlace({ id }: Pick<RequestedCredential, 'id'>, path: Path): string {
  return JSON.stringify([id, ...path])
}

function readPlaces(rules: RequestRules | undefined, name: unknown): ReadonlySet<string> {
  const places = typeof name === 'string' ? readList(rules?.claims, name).map(asObject) : []
  return new Set(
    places.map(({ credential, path }) => JSON.stringify([credential, ...(Array.isArray(path) ? path : [])])),
  )
}
