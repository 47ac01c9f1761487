import type { ReadResult } from '../../input-error.ts'
import type { LookUpType, TypeReference } from '../../presentation.ts'
import { makeTypeReference } from './read-type-metadata.ts'

/** National types extend a European one, perhaps over a type of their region. */
export const maxTypeSteps = 4

/**
 * The types that a type extends, nearest first, until one of the requested is found (SD-JWT VC, "Extending Type Metadata"). Each
 * document is found by a reference with integrity, so that a chain cannot be circular; its length is bounded.
 */
export async function findExtendedTypes(
  first: TypeReference,
  requested: readonly string[],
  lookUpType: LookUpType,
): Promise<ReadResult<string[]>> {
  const types: string[] = []
  let reference = first
  for (let step = 0; step < maxTypeSteps; step += 1) {
    const metadata = await lookUpType(reference)
    if (metadata === undefined) return { error: `the metadata of the type ${reference.uri} is unavailable` }
    if ('error' in metadata) return { error: `${metadata.error}: ${reference.uri}` }
    const { extends: extended, extends_integrity } = metadata.value
    if (extended === undefined) return { value: types }
    types.push(extended)
    const next = makeTypeReference(extended, extends_integrity)
    if (requested.includes(extended) || next === undefined) return { value: types }
    reference = next
  }
  return { error: `the type extends more than ${maxTypeSteps} others` }
}
