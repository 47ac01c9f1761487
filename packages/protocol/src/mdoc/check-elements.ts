import { hash } from 'node:crypto'
import { failure } from '../findings.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Finding } from '../presentation.ts'
import type { MdocDocument } from './read-device-response.ts'
import { findDigest, type KeyAuthorizations, type Mso } from './read-mso.ts'

export type CheckedElements = {
  /** By namespace. */
  claims: Record<string, JsonObject>
  /** Elements that differ from what the issuer signed, or occur twice. */
  issuer_findings: Finding[]
  /** Elements that the device was not allowed to add. */
  device_findings: Finding[]
}

/** Checks that the issuer signed each element (ISO/IEC 18013-5 §9.1.2.3) or lets the device sign it (§9.1.3.4). */
export function checkElements({ elements, mso, device_signed }: MdocDocument): CheckedElements {
  const claims: CheckedElements['claims'] = Object.create(null)
  const issuer_findings: Finding[] = []
  const device_findings: Finding[] = []
  const digestIds = new Set<string>()

  for (const element of elements) {
    const id = `${element.digest_id} ${element.name_space}`
    if (!matchesDigest(element, mso))
      issuer_findings.push(elementFailure(element, 'does not match the digest in the signed MSO'))
    if (digestIds.has(id) || !addClaim(claims, element))
      issuer_findings.push(elementFailure(element, 'occurs twice'))
    digestIds.add(id)
  }
  for (const element of device_signed?.elements ?? []) {
    if (canDeviceSign(element, mso.key_authorizations) && addClaim(claims, element)) continue
    const detail = `${element.name_space}/${element.name} may not be signed by the device`
    device_findings.push(failure('device_signed_elements', detail))
  }
  return { claims, issuer_findings, device_findings }
}

type NamedElement = { name_space: string; name: string; value: Json }

function matchesDigest({ name_space, digest_id, span }: MdocDocument['elements'][number], mso: Mso): boolean {
  const digest = findDigest(mso, name_space, digest_id)
  return digest !== undefined && hash(mso.digest_algorithm, span, 'buffer').equals(digest)
}

/** False if the name is already used. */
function addClaim(claims: CheckedElements['claims'], { name_space, name, value }: NamedElement): boolean {
  const members: JsonObject = (claims[name_space] ??= Object.create(null))
  if (name in members) return false
  members[name] = value
  return true
}

function canDeviceSign(
  { name_space, name }: NamedElement,
  { name_spaces, elements }: KeyAuthorizations,
): boolean {
  if (name_spaces.includes(name_space)) return true
  const names = elements.get(name_space)
  return Array.isArray(names) && names.includes(name)
}

function elementFailure({ name_space, name }: NamedElement, what: string): Finding {
  return failure('element_digests', `${name_space}/${name} ${what}`)
}
