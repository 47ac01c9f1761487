import type { AnyQuery } from '../dcql/query.ts'
import type { ReturnedDocument } from './read-documents.ts'
import { listRequestedDocuments } from './requested-documents.ts'

/** Not an id that a query can have, so that the verification fails with the check `query_id`. */
const unrequestedKey = 'document that was not requested'

/**
 * Builds the `vp_token` of the returned documents. Each credential of the query gets the document of its docType. A
 * document that was not requested, or a second one of the same type, belongs to no credential and fails the verification.
 */
export function assignDocuments(
  documents: readonly ReturnedDocument[],
  query: AnyQuery,
): Record<string, string[]> {
  const requested = listRequestedDocuments(query)?.documents ?? []
  const idsByType = new Map(requested.map(({ doc_type, query_id }) => [doc_type, query_id]))
  const vp_token: Record<string, string[]> = Object.create(null)
  for (const { doc_type, device_response } of documents) {
    vp_token[idsByType.get(doc_type) ?? unrequestedKey] = [device_response]
    idsByType.delete(doc_type)
  }
  return vp_token
}
