import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import type { AnyQuery, CredentialQuery } from '../dcql/query.ts'
import { isNonEmptyArrayOf, isNonEmptyString, isObject } from '../json.ts'
import type { FailedCheck } from './failed-outcome.ts'

type MatchedPresentation = { query: CredentialQuery; presentation: string }
export type VpTokenResult = { presentations: MatchedPresentation[] } | { rejected: FailedCheck }

/** Bounds for queries with `multiple` (GEN-11). The largest query can still get one presentation for each credential. */
export const presentationBounds = { maxPresentations: 20, maxPresentationsPerCredential: 10 } as const

/** Assigns the presentations to the credentials of the query, in query order (OpenID4VP 1.0 §8.1). One error rejects the whole response. */
export function readVpToken(vp_token: unknown, query: AnyQuery): VpTokenResult {
  if (!isObject(vp_token)) return rejectUnreadable('the response has no vp_token, or it is not an object')
  const requestedIds = new Set(query.credentials.map(({ id }) => id))
  if (Object.keys(vp_token).some((id) => !requestedIds.has(id))) {
    return reject(
      'query_id',
      'the response contains a presentation that belongs to no credential of the query',
    )
  }
  const presentations: MatchedPresentation[] = []
  for (const credential of query.credentials) {
    const id = String(credential.id)
    if (!Object.hasOwn(vp_token, id)) continue
    const read = readPresentations(vp_token[id], credential)
    if ('rejected' in read) {
      const { rejected } = read
      return { rejected: { ...rejected, detail: `"${id}": ${rejected.detail}` } }
    }
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
  if (!isCredentialQuery(query)) return reject('credential_query', 'the query violates a rule of DCQL')
  if (!isNonEmptyArrayOf(presentations, isNonEmptyString))
    return rejectUnreadable('the value is not a list of presentations')
  if (presentations.length > 1 && query.multiple !== true) {
    return reject('presentation_count', `requested one presentation, got ${presentations.length}`)
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

function reject(check: FailedCheck['check'], detail: string): VpTokenResult {
  return { rejected: { check, detail } }
}

function rejectUnreadable(detail: string): VpTokenResult {
  return { rejected: { check: 'vp_token', detail, unreadable: true } }
}
