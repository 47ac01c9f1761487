import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import { isCredentialSet } from '../dcql/check/check-credential-set.ts'
import type { AnyQuery, ClaimsQuery, CredentialQuery } from '../dcql/query.ts'

/** What a DeviceRequest asks for: documents, each of another docType, and which of them together are enough. */
export type RequestedDocuments = { documents: RequestedDocument[]; use_cases: UseCase[] }

/** A document that is requested, and the credential of the query that it answers. */
export type RequestedDocument = {
  query_id: string
  doc_type: string
  elements: RequestedElement[]
  /** For a document that lacks one of the elements: sets of others that replace it. */
  alternatives?: { replaced: RequestedElement; sets: RequestedElement[][] }
}
export type RequestedElement = { name_space: string; name: string; intent_to_retain: boolean }

/** Indexes of documents: one of the sets is presented whole. */
export type UseCase = { mandatory: boolean; document_sets: number[][] }

/**
 * Maps a query to the documents of a DeviceRequest, in the order of the query's preference: a credential set is a use case, its options are
 * document sets, and claim sets are alternative elements. Undefined if mdocs alone cannot satisfy it.
 *
 * Wallets read it in three ways: by the use cases; only the first document, which is therefore the preferred one; or every document for
 * itself, so that several are presented where one was enough. The outcome is decided against the query.
 */
export function listRequestedDocuments(query: AnyQuery): RequestedDocuments | undefined {
  const available = new Map(
    query.credentials
      .map(toDocument)
      .filter((document) => document !== undefined)
      .map((document) => [document.query_id, document]),
  )
  const selection: Selection = { available, selected: new Map() }
  const sets = listSets(query)
  const required = sets.filter(({ mandatory }) => mandatory)
  // First what satisfies the query, so that no alternative takes the docType of a document that is needed.
  const satisfied = required.every(({ options }) => options.some((option) => selectOption(selection, option)))
  if (!satisfied || selection.selected.size === 0) return undefined
  for (const { options } of [...required, ...sets])
    for (const option of options) selectOption(selection, option)

  const documents = [...selection.selected.values()]
  const indexById = new Map(documents.map(({ query_id }, index) => [query_id, index]))
  const use_cases = sets
    .map(({ mandatory, options }) => ({
      mandatory,
      document_sets: options
        .map((option) => option.flatMap((id) => indexById.get(id) ?? []))
        .filter((indexes, place) => indexes.length === options[place]?.length),
    }))
    .filter(({ document_sets }) => document_sets.length > 0)
  return { documents, use_cases }
}

type Selection = {
  available: ReadonlyMap<string, RequestedDocument>
  /** By docType: a returned document shows nothing else about the credential of the query that it answers. */
  selected: Map<string, RequestedDocument>
}

/** The credential sets of a query. Without any, every credential must be presented (OpenID4VP 1.0 §6.4.2). */
function listSets({ credentials, credential_sets: sets = [] }: AnyQuery) {
  if (sets.length === 0) return [{ mandatory: true, options: [credentials.map(({ id }) => String(id))] }]
  return sets.map((set) => ({
    mandatory: set['required'] !== false,
    // No option satisfies an invalid set.
    options: isCredentialSet(set) ? set.options : [],
  }))
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
  const [preferred = [], ...others] = listClaimSets(credential)
  if (doc_type === undefined || preferred.length === 0) return undefined
  const alternatives = findAlternatives(preferred, others)
  return {
    query_id: credential.id,
    doc_type,
    elements: preferred.map(toElement),
    ...(alternatives && { alternatives }),
  }
}

function listClaimSets({ claims = [], claim_sets }: CredentialQuery): ClaimsQuery[][] {
  if (claim_sets === undefined) return [claims]
  return claim_sets.map((set) => claims.filter(({ id }) => id !== undefined && set.includes(id)))
}

/**
 * The claim sets that replace one claim of the preferred set, always the same: alternatives of several elements could be combined to what
 * is no claim set, and Apple's wallet reads one. Other sets are not asked for.
 */
function findAlternatives(
  preferred: ClaimsQuery[],
  others: ClaimsQuery[][],
): RequestedDocument['alternatives'] {
  const replacing = others.flatMap((set) => {
    const [replaced, ...more] = preferred.filter((claim) => !set.includes(claim))
    const added = set.filter((claim) => !preferred.includes(claim))
    return replaced !== undefined && more.length === 0 && added.length > 0 ? [{ replaced, added }] : []
  })
  const [first] = replacing
  if (first === undefined) return undefined
  return {
    replaced: toElement(first.replaced),
    sets: replacing
      .filter(({ replaced }) => replaced === first.replaced)
      .map(({ added }) => added.map(toElement)),
  }
}

/**
 * The query says whether an element will be retained. If it does not, we say yes: results are kept for the merchant, for days
 * unless they are deleted on delivery, and the merchant may keep what was delivered.
 */
function toElement({ path, intent_to_retain = true }: ClaimsQuery): RequestedElement {
  const [name_space, name] = path
  return { name_space: String(name_space), name: String(name), intent_to_retain }
}
