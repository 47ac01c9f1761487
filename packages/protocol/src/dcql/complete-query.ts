import type { AnyQuery } from './query.ts'

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

function allocateId(index: number, taken: Set<unknown>): string {
  let id = `credential_${index + 1}`
  while (taken.has(id)) id += '_'
  taken.add(id)
  return id
}
