import type { AnyQuery, ClaimsPath } from '../dcql/query.ts'
import { isObject } from '../json.ts'
import type { RegisteredCredential, Registration, UnregisteredRequest } from './registration.ts'

/**
 * Finds what a query asks for beyond the registration (CIR (EU) 2025/848 art. 8(2)): every credential, type and claim of every
 * alternative, since a wallet may be asked for any of them. Of several requested types each must be registered. Empty if the
 * registration covers the query.
 */
export function findUnregistered(
  query: AnyQuery,
  { credentials }: Pick<Registration, 'credentials'>,
): UnregisteredRequest[] {
  return query.credentials.flatMap((credential) => {
    const request = readRequest(credential)
    const types = request.types.length === 0 ? [undefined] : request.types
    return types.flatMap((type) => checkType(request, type, credentials))
  })
}

type CredentialRequest = { credential_id: string; format: string; types: string[]; paths: ClaimsPath[] }

function checkType(
  { credential_id, format, paths }: CredentialRequest,
  type: string | undefined,
  credentials: readonly RegisteredCredential[],
): UnregisteredRequest[] {
  const request = { credential_id, format, ...(type !== undefined && { type }) }
  // A query for any type of a format is not covered by a registration, which names types.
  const registered = credentials.filter(
    (credential) => type !== undefined && credential.format === format && credential.types.includes(type),
  )
  if (registered.length === 0) return [request]
  const outside = paths.filter((path) => !registered.some((credential) => permits(credential, path)))
  return outside.length === 0 ? [] : [{ ...request, paths: outside }]
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
