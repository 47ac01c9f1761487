import type { RegistrationFinding } from '@vidimus/contract'
import type { Registration } from '@vidimus/protocol'
import { toFinding } from './describe-finding.ts'

/**
 * Compares the registrar's data set with the certificate, as far as both name the same (ETSI TS 119 472-2 §6.3.2.2): the identifier of
 * the relying party and the intended use. A wallet that finds different ones could not tell which to believe.
 */
export function checkDataset(
  { identifiers, intended_use_id }: Pick<Registration, 'identifiers' | 'intended_use_id'>,
  dataset: Record<string, unknown> | undefined,
): RegistrationFinding[] {
  if (dataset === undefined) return []
  const named = readIdentifiers(dataset['identifier'])
  const known = identifiers.map(({ identifier }) => identifier)
  if (named.length > 0 && !named.some((identifier) => known.includes(identifier)))
    return [toFinding('dataset_differs', 'it names another identifier')]
  const use = dataset['intendedUseIdentifier']
  if (typeof use === 'string' && intended_use_id !== undefined && use !== intended_use_id)
    return [toFinding('dataset_differs', 'it names another intended use')]
  return [toFinding('dataset_matches')]
}

/** A text, or in the registry's own form (TS5) an object or a list of objects with the member `identifier`. */
function readIdentifiers(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value]
  return entries.flatMap((entry) => {
    const text =
      typeof entry === 'object' && entry !== null && 'identifier' in entry ? entry.identifier : entry
    return typeof text === 'string' ? [text] : []
  })
}
