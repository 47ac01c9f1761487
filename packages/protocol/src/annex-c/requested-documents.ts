import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import { isCredentialSet } from '../dcql/check/check-credential-set.ts'
import type { AnyQuery, ClaimsQuery, CredentialQuery } from '../dcql/query.ts'

/** A document that is requested, and the credential of the query that it answers. */
export type RequestedDocument = { query_id: string; doc_type: string; elements: RequestedElement[] }
type RequestedElement = { name_space: string; name: string; intent_to_retain: boolean }

/**
 * Maps a query to documents of a DeviceRequest 1.0, each of another docType, in the order of the query's preference. Undefined
 * if mdocs alone cannot satisfy it.
 *
 * A DeviceRequest 1.0 knows no alternatives: it contains the documents of every option that fits, some wallets return the
 * first and others all that they have, and the outcome is decided against the query. Optional credential sets are left out,
 * because a wallet could not tell that they are optional.
 */
export function listRequestedDocuments(query: AnyQuery): RequestedDocument[] | undefined {
  const available = new Map(
    query.credentials
      .map(toDocument)
      .filter((document) => document !== undefined)
      .map((document) => [document.query_id, document]),
  )
  const selection: Selection = { available, selected: new Map() }
  const sets = listRequiredOptions(query)
  // First what satisfies the query, so that no alternative takes the docType of a document that is needed.
  const satisfied = sets.every((options) => options.some((option) => selectOption(selection, option)))
  if (!satisfied || selection.selected.size === 0) return undefined
  for (const option of sets.flat()) selectOption(selection, option)
  return [...selection.selected.values()]
}

type Selection = {
  available: ReadonlyMap<string, RequestedDocument>
  /** By docType: a returned document shows nothing else about the credential of the query that it answers. */
  selected: Map<string, RequestedDocument>
}

/** The options of each set that must be satisfied. Without sets, every credential must be (OpenID4VP 1.0 §6.4.2). */
function listRequiredOptions({ credentials, credential_sets: sets = [] }: AnyQuery): string[][][] {
  if (sets.length === 0) return [[credentials.map(({ id }) => String(id))]]
  return (
    sets
      .filter(({ required }) => required !== false)
      // No option satisfies an invalid set.
      .map((set) => (isCredentialSet(set) ? set.options : []))
  )
}

/** Adds the documents of an option, if all are mdocs and none has the docType of another credential. */
function selectOption({ available, selected }: Selection, option: readonly string[]): boolean {
  const added = new Map(selected)
  for (const id of option) {
    const document = available.get(id)
    if (document === undefined) return false
    const sameType = added.get(document.doc_type)
    if (sameType !== undefined && sameType.query_id !== id) return false
    added.set(document.doc_type, document)
  }
  for (const [docType, document] of added) selected.set(docType, document)
  return true
}

/** Undefined if it is not an mdoc, or names no type or no claim: a DeviceRequest must name both. */
function toDocument(credential: Record<string, unknown>): RequestedDocument | undefined {
  if (!isCredentialQuery(credential) || credential.format !== 'mso_mdoc') return undefined
  const { doctype_value: doc_type } = credential.meta
  const elements = listFirstClaims(credential).map(toElement)
  return doc_type === undefined || elements.length === 0
    ? undefined
    : { query_id: credential.id, doc_type, elements }
}

/** The claims of the preferred claim set: a DeviceRequest 1.0 cannot express the others. */
function listFirstClaims({ claims = [], claim_sets: [first] = [] }: CredentialQuery): ClaimsQuery[] {
  return first === undefined ? claims : claims.filter(({ id }) => id !== undefined && first.includes(id))
}

/**
 * The query says whether an element will be retained. If it does not, we say yes: results are kept for the merchant, for days
 * unless they are deleted on delivery, and the merchant may keep what was delivered.
 */
function toElement({ path, intent_to_retain = true }: ClaimsQuery): RequestedElement {
  const [name_space, name] = path
  return { name_space: String(name_space), name: String(name), intent_to_retain }
}
