import { isNonEmptyArrayOf, isNonEmptyString, isObject } from '../../json.ts'
import type { CredentialQuery, Violation } from '../query.ts'
import { cite } from './cite.ts'
import { checkClaims } from './check-claims.ts'
import { checkId } from './check-id.ts'

/** True if presentations can be matched against it. */
export function isCredentialQuery(credential: unknown): credential is CredentialQuery {
  return checkCredential(credential, '').length === 0
}

/** The rules of one credential query (OpenID4VP 1.0 §6.1). `checkQuery` checks that its id is unique. */
export function checkCredential(credential: unknown, place: string): Violation[] {
  if (!isObject(credential)) return cite('6.1', [{ place, rule: 'must be an object' }])
  return [
    ...cite('6.1', [
      ...checkId(credential.id, `${place}.id`),
      ...checkFormat(credential.format, `${place}.format`),
      ...checkMeta(credential, `${place}.meta`),
      ...checkBoolean(credential.multiple, `${place}.multiple`),
      ...checkBoolean(
        credential.require_cryptographic_holder_binding,
        `${place}.require_cryptographic_holder_binding`,
      ),
      ...checkAuthorities(credential.trusted_authorities, `${place}.trusted_authorities`),
    ]),
    ...cite('6.3', checkClaims(credential, place)),
  ]
}

function checkFormat(format: unknown, place: string): Violation[] {
  if (format === undefined) return [{ place, rule: 'is missing: no wallet can answer this' }]
  if (format === 'mso_mdoc' || format === 'dc+sd-jwt') return []
  return [{ place, rule: 'must be mso_mdoc or dc+sd-jwt: no other format can be verified here' }]
}

/** An empty `meta` does not constrain the type; otherwise it names the type as the format defines (§B.2.3, §B.3.5). */
function checkMeta({ meta, format }: Record<string, unknown>, place: string): Violation[] {
  if (meta === undefined) return [{ place, rule: 'is missing' }]
  if (!isObject(meta)) return [{ place, rule: 'must be an object' }]
  if (Object.keys(meta).length === 0) return []
  if (format === 'mso_mdoc' && !isNonEmptyString(meta.doctype_value)) {
    return [{ place: `${place}.doctype_value`, rule: 'must be a non-empty string' }]
  }
  if (format === 'dc+sd-jwt' && !isNonEmptyArrayOf(meta.vct_values, isNonEmptyString)) {
    return [{ place: `${place}.vct_values`, rule: 'must be a non-empty array of strings' }]
  }
  return []
}

function checkBoolean(flag: unknown, place: string): Violation[] {
  return flag === undefined || typeof flag === 'boolean' ? [] : [{ place, rule: 'must be true or false' }]
}

function checkAuthorities(authorities: unknown, place: string): Violation[] {
  if (authorities === undefined) return []
  if (!Array.isArray(authorities) || authorities.length === 0) {
    return [{ place, rule: 'must be a non-empty array, or be omitted' }]
  }
  return authorities.flatMap((authority: unknown, index) => {
    if (!isObject(authority)) return [{ place: `${place}[${index}]`, rule: 'must be an object' }]
    if (!isNonEmptyString(authority.type))
      return [{ place: `${place}[${index}].type`, rule: 'must be a non-empty string' }]
    if (isNonEmptyArrayOf(authority.values, isNonEmptyString)) return []
    return [{ place: `${place}[${index}].values`, rule: 'must be a non-empty array of strings' }]
  })
}
