import { cite } from './check/cite.ts'
import type { AnyQuery, Violation } from './query.ts'

/**
 * Adds the required members that the merchant omitted (CREATE-5): an id, and a `meta` that accepts any type of the format.
 * Leaves everything else unchanged; `checkQuery` reports what is wrong with it.
 */
export function completeQuery(query: AnyQuery): AnyQuery {
  const taken = new Set(query.credentials.map((credential) => credential.id))
  const credentials = query.credentials.map((credential, index) => {
    const id = credential.id === undefined ? allocateId(index, taken) : credential.id
    return { ...credential, id, meta: credential.meta === undefined ? {} : credential.meta }
  })
  return { ...query, credentials }
}

/** The required members that `completeQuery` adds, as violations: `checkQuery` of the completed query no longer sees them. */
export function findOmissions({ credentials }: AnyQuery): Violation[] {
  return credentials.flatMap((credential, index) =>
    (['id', 'meta'] as const)
      .filter((member) => credential[member] === undefined)
      .flatMap((member) =>
        cite('6.1', [{ place: `query.credentials[${index}].${member}`, rule: 'is missing' }]),
      ),
  )
}

function allocateId(index: number, taken: Set<unknown>): string {
  let id = `credential_${index + 1}`
  while (taken.has(id)) id += '_'
  taken.add(id)
  return id
}
