import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import { isCredentialSet } from '../dcql/check/check-credential-set.ts'
import type { AnyQuery, ClaimsPath, CredentialQuery } from '../dcql/query.ts'
import { findUnregistered } from './find-unregistered.ts'
import type { Registration } from './registration.ts'

/**
 * Leaves the alternatives that a registration does not cover out of a query: claim sets, credentials and options of credential sets, so
 * that a wallet has nothing to warn its holder of. Undefined if the query cannot do without one of them, or is not valid.
 */
export function trimToRegistration(
  query: AnyQuery,
  registration: Pick<Registration, 'credentials'>,
): AnyQuery | undefined {
  const { credentials, credential_sets: sets = [] } = query
  if (!credentials.every(isCredentialQuery) || !sets.every(isCredentialSet)) return undefined
  const covered = new Map(
    credentials
      .map((credential) => trimCredential(credential, registration))
      .filter((credential) => credential !== undefined)
      .map((credential) => [credential.id, credential]),
  )
  if (sets.length === 0)
    return covered.size === credentials.length ? { ...query, credentials: [...covered.values()] } : undefined
  const trimmed = sets.map((set) => ({
    ...set,
    options: set.options.filter((option) => option.every((id) => covered.has(id))),
  }))
  const remaining = trimmed.filter(({ options }) => options.length > 0)
  const lacksOne = trimmed.some(({ required = true, options }) => required && options.length === 0)
  if (lacksOne || remaining.length === 0) return undefined
  const used = new Set(remaining.flatMap(({ options }) => options.flat()))
  return {
    ...query,
    credentials: [...covered.values()].filter(({ id }) => used.has(id)),
    credential_sets: remaining,
  }
}

/** Undefined if the credential, or a claim of each of its claim sets, is not registered. */
function trimCredential(
  credential: CredentialQuery,
  registration: Pick<Registration, 'credentials'>,
): CredentialQuery | undefined {
  const unregistered = findUnregistered({ credentials: [credential] }, registration)
  if (unregistered.length === 0) return credential
  const { claims = [], claim_sets: sets = [] } = credential
  if (unregistered.some(({ paths }) => paths === undefined)) return undefined
  // The paths of the query itself.
  const outside = new Set<ClaimsPath>(unregistered.flatMap(({ paths = [] }) => paths))
  const outsideIds = new Set(claims.filter(({ path }) => outside.has(path)).map(({ id }) => id))
  const remaining = sets.filter((set) => !set.some((id) => outsideIds.has(id)))
  if (remaining.length === 0) return undefined
  const used = new Set<string | undefined>(remaining.flat())
  return { ...credential, claims: claims.filter(({ id }) => used.has(id)), claim_sets: remaining }
}
