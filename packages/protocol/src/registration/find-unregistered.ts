import type { AnyQuery, ClaimsPath } from '../dcql/query.ts'
import { isObject } from '../json.ts'
import { basePidType, findPidCountry } from '../sd-jwt/types/national-pid.ts'
import type { RegisteredCredential, Registration, UnregisteredRequest } from './registration.ts'

/**
 * Finds what a query asks for beyond the registration (CIR (EU) 2025/848 art. 8(2)), as wallets compute it: every credential and claim
 * of every alternative counts, and of several requested types one must be registered. Empty if the registration covers the query.
 */
export function findUnregistered(
  query: AnyQuery,
  { credentials }: Pick<Registration, 'credentials'>,
): UnregisteredRequest[] {
  return query.credentials.flatMap((credential) => {
    const { types, paths, ...request } = readRequest(credential)
    // A query for any type of a format is not covered by a registration, which names types.
    const type = types.find((each) => credentials.some((registered) => isOfType(registered, request, each)))
    if (type === undefined)
      return types.length === 0 ? [request] : types.map((each) => ({ ...request, type: each }))
    const registered = credentials.filter((each) => types.some((one) => isOfType(each, request, one)))
    const outside = paths.filter((path) => !registered.some((each) => permits(each, path)))
    return outside.length === 0 ? [] : [{ ...request, type, paths: outside }]
  })
}

type CredentialRequest = { credential_id: string; format: string; types: string[]; paths: ClaimsPath[] }

/** A national PID is a PID, so the base type covers it. */
function isOfType(
  registered: RegisteredCredential,
  { format }: Pick<CredentialRequest, 'format'>,
  type: string,
): boolean {
  if (registered.format !== format) return false
  return (
    registered.types.includes(type) ||
    (findPidCountry(type) !== undefined && registered.types.includes(basePidType))
  )
}

/** No declared claims permit every claim. */
function permits({ claims }: RegisteredCredential, path: ClaimsPath): boolean {
  return claims === undefined || claims.some((registered) => covers(registered, path))
}

/** A path selects everything below it (OpenID4VP 1.0 §7.3), and null every element of an array. */
function covers(registered: ClaimsPath, requested: ClaimsPath): boolean {
  return registered.every((component, index) => {
    const other = requested[index]
    return component === other || (component === null && typeof other === 'number')
  })
}

/** Reads any query that a merchant sends (CREATE-5), also one that no wallet can answer. */
function readRequest(credential: Record<string, unknown>): CredentialRequest {
  const { id, format, meta, claims } = credential
  const { vct_values, doctype_value } = isObject(meta) ? meta : {}
  const types: unknown[] = Array.isArray(vct_values) ? vct_values : [doctype_value]
  return {
    credential_id: typeof id === 'string' ? id : '',
    format: typeof format === 'string' ? format : '',
    types: types.filter((type) => typeof type === 'string'),
    // Claims in no claim set count as well: wallets compare all of them.
    paths: (Array.isArray(claims) ? claims : []).flatMap((claim: unknown): ClaimsPath[] =>
      // Only compared with what is registered, never followed.
      isObject(claim) && Array.isArray(claim['path']) ? [claim['path'] as ClaimsPath] : [],
    ),
  }
}
