import { isObject, type Json } from '../../json.ts'
import type { PresentedCredential } from '../../presentation.ts'
import type { ClaimsPath } from '../query.ts'

const agePattern = /^age_over_(\d{2})$/

/**
 * An mdoc that lacks a requested `age_over_NN` is presented with the nearest one that decides it (ISO/IEC 18013-5 §7.2.5): true at a
 * higher age, or false at a lower one. Returns where it is, or undefined if no disclosed age decides the requested one.
 */
export function findNearestAge(
  { format, claims }: Pick<PresentedCredential, 'format' | 'claims'>,
  path: ClaimsPath,
): { path: ClaimsPath; value: boolean } | undefined {
  const [namespace, element] = path
  if (format !== 'mso_mdoc' || path.length !== 2 || typeof namespace !== 'string') return undefined
  const requested = readAge(element)
  const elements: Json | undefined = Object.hasOwn(claims, namespace) ? claims[namespace] : undefined
  if (requested === undefined || !isObject(elements)) return undefined
  const decisive = Object.entries(elements).flatMap(([name, value]) => {
    const age = readAge(name)
    if (age === undefined || typeof value !== 'boolean') return []
    return (value ? age >= requested : age <= requested)
      ? [{ name, value, distance: Math.abs(age - requested) }]
      : []
  })
  const [nearest] = decisive.toSorted((a, b) => a.distance - b.distance)
  // A document that says both is wrong about one of them.
  if (nearest === undefined || decisive.some(({ value }) => value !== nearest.value)) return undefined
  return { path: [namespace, nearest.name], value: nearest.value }
}

function readAge(element: unknown): number | undefined {
  const digits = typeof element === 'string' ? agePattern.exec(element)?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}
