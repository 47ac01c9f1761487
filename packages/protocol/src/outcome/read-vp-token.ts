import type { CheckName } from '../checks.ts'
import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import type { AnyQuery, CredentialQuery } from '../dcql/query.ts'
import { isNonEmptyArrayOf, isObject, isNonEmptyString } from '../json.ts'

type MatchedPresentation = { query: CredentialQuery; presentation: string }
export type VpTokenResult =
  | { presentations: MatchedPresentation[] }
  | { rejected: { check: CheckName; detail: string } }

/** What `multiple` may multiply (GEN-11). Every credential of the largest query can still be answered once. */
export const presentationBounds = { maxPresentations: 20, maxPresentationsPerCredential: 10 } as const

/** Takes the answer apart by the ids of the query, in the order of the query (OpenID4VP 1.0 §8.1). One fault refuses the whole. */
export function readVpToken(vp_token: unknown, query: AnyQuery): VpTokenResult {
  if (!isObject(vp_token)) return reject('vp_token', 'the answer has no vp_token that is an object')
  const requestedIds = new Set(query.credentials.map(({ id }) => id))
  if (Object.keys(vp_token).some((id) => !requestedIds.has(id))) {
    return reject('query_id', 'the answer names a credential that the query does not')
  }
  const presentations: MatchedPresentation[] = []
  for (const credential of query.credentials) {
    const id = String(credential.id)
    if (!Object.hasOwn(vp_token, id)) continue
    const read = readPresentations(vp_token[id], credential)
    if ('rejected' in read) return reject(read.rejected.check, `"${id}": ${read.rejected.detail}`)
    presentations.push(...read.presentations)
  }
  const { maxPresentations } = presentationBounds
  if (presentations.length > maxPresentations) {
    return reject(
      'presentation_count',
      `at most ${maxPresentations} presentations, got ${presentations.length}`,
    )
  }
  return { presentations }
}

function readPresentations(presentations: unknown, query: Record<string, unknown>): VpTokenResult {
  if (!isCredentialQuery(query)) return reject('credential_query', 'the query breaks a rule of DCQL')
  if (!isNonEmptyArrayOf(presentations, isNonEmptyString))
    return reject('vp_token', 'the answer is no list of presentations')
  if (presentations.length > 1 && query.multiple !== true) {
    return reject('presentation_count', `one presentation was asked for, ${presentations.length} came`)
  }
  const { maxPresentationsPerCredential } = presentationBounds
  if (presentations.length > maxPresentationsPerCredential) {
    return reject(
      'presentation_count',
      `at most ${maxPresentationsPerCredential} presentations of one credential, got ${presentations.length}`,
    )
  }
  return { presentations: presentations.map((presentation) => ({ query, presentation })) }
}

function reject(check: CheckName, detail: string): VpTokenResult {
  return { rejected: { check, detail } }
}
