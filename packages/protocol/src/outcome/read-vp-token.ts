import type { CheckName } from '../checks.ts'
import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import type { AnyQuery, CredentialQuery } from '../dcql/query.ts'
import { isNonEmptyArrayOf, isObject, isNonEmptyString } from '../json.ts'

type MatchedPresentation = { query: CredentialQuery; presentation: string }
export type VpTokenResult =
  | { answers: MatchedPresentation[] }
  | { fault: { check: CheckName; detail: string } }

/** What `multiple` may multiply (GEN-11). Every credential of the largest query can still be answered once. */
export const presentationBounds = { maxPresentations: 20, maxPresentationsOfOne: 10 } as const

/** Takes the answer apart by the ids of the query, in the order of the query (OpenID4VP 1.0 §8.1). One fault refuses the whole. */
export function readVpToken(vp_token: unknown, query: AnyQuery): VpTokenResult {
  if (!isObject(vp_token)) return fault('vp_token', 'the answer has no vp_token that is an object')
  const requestedIds = new Set(query.credentials.map(({ id }) => id))
  if (Object.keys(vp_token).some((id) => !requestedIds.has(id))) {
    return fault('query_id', 'the answer names a credential that the query does not')
  }
  const answers: MatchedPresentation[] = []
  for (const credential of query.credentials) {
    const id = String(credential.id)
    if (!Object.hasOwn(vp_token, id)) continue
    const read = readPresentations(vp_token[id], credential)
    if ('fault' in read) return fault(read.fault.check, `"${id}": ${read.fault.detail}`)
    answers.push(...read.answers)
  }
  const { maxPresentations } = presentationBounds
  if (answers.length > maxPresentations) {
    return fault('presentation_count', `at most ${maxPresentations} presentations, got ${answers.length}`)
  }
  return { answers }
}

function readPresentations(presentations: unknown, query: Record<string, unknown>): VpTokenResult {
  if (!isCredentialQuery(query)) return fault('credential_query', 'the query breaks a rule of DCQL')
  if (!isNonEmptyArrayOf(presentations, isNonEmptyString))
    return fault('vp_token', 'the answer is no list of presentations')
  if (presentations.length > 1 && query.multiple !== true) {
    return fault('presentation_count', `one presentation was asked for, ${presentations.length} came`)
  }
  const { maxPresentationsOfOne } = presentationBounds
  if (presentations.length > maxPresentationsOfOne) {
    return fault(
      'presentation_count',
      `at most ${maxPresentationsOfOne} presentations of one credential, got ${presentations.length}`,
    )
  }
  return { answers: presentations.map((presentation) => ({ query, presentation })) }
}

function fault(check: CheckName, detail: string): VpTokenResult {
  return { fault: { check, detail } }
}
