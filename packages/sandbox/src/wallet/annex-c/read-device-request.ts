import { decodeCbor } from '../../cbor/decode.ts'
import type { Cbor } from '../../cbor/encode.ts'
import type { ClaimsQuery } from '../dcql.ts'
import { violationUnless, type Violation } from '../violation.ts'
import { isMapOf, readBase64urlCbor } from './read-base64url-cbor.ts'

export type DocumentRequest = {
  readonly doctype: string
  readonly claims: readonly ClaimsQuery[]
  /** The encoded ItemsRequest, which `readerAuth` signs. */
  readonly items_request: Uint8Array
  readonly reader_auth?: Cbor
  /** The registration certificate in `requestInfo` (ETSI TS 119 472-2 §5.3.2). */
  readonly registration?: Uint8Array
  /** Sets of elements of which one replaces an element that the document lacks. */
  readonly alternatives?: {
    readonly replaced: ClaimsQuery
    readonly sets: readonly (readonly ClaimsQuery[])[]
  }
}

/** Indexes of documents: one of the sets is presented whole. */
type UseCase = { readonly mandatory: boolean; readonly document_sets: readonly (readonly number[])[] }

export type DeviceRequest = {
  documents: DocumentRequest[]
  /** Only a request of version 1.1 has the others: which documents are enough, the encoded DeviceRequestInfo, signatures over all of it. */
  use_cases?: UseCase[] | undefined
  info?: Uint8Array | undefined
  reader_auth_all: Cbor[]
}

const place = 'ISO/IEC 18013-5 §8.3.2.1.2.1'

/** Reads a DeviceRequest of either edition: the requested documents, each with its elements. */
export function readDeviceRequest(text: unknown): DeviceRequest & { violations: Violation[] } {
  const item = readBase64urlCbor(text)
  const members = isMapOf(item, ['version', 'docRequests', 'deviceRequestInfo', 'readerAuthAll'])
    ? item
    : new Map<Cbor, Cbor>()
  const docRequests = members.get('docRequests')
  const version = members.get('version')
  const info = readEmbedded(members.get('deviceRequestInfo'))
  const reader_auth_all = members.get('readerAuthAll') ?? []
  const isRead = version === '1.0' ? members.size === 2 : version === '1.1' && Array.isArray(reader_auth_all)
  const use_cases =
    info === undefined || !Array.isArray(docRequests) ? undefined : readUseCases(info, docRequests.length)
  if (
    !isRead ||
    !Array.isArray(docRequests) ||
    docRequests.length === 0 ||
    (version === '1.1' && use_cases === undefined)
  ) {
    const message =
      'deviceRequest is not a DeviceRequest of version 1.0, or of 1.1 with use cases, in base64url'
    return {
      documents: [],
      reader_auth_all: [],
      violations: violationUnless(false, 'annex_c.device_request', place, message),
    }
  }
  const read = (docRequests as Cbor[]).map(readDocumentRequest)
  const documents = read.filter((each) => each !== undefined)
  const doctypes = new Set(documents.map(({ doctype }) => doctype))
  return {
    documents,
    use_cases,
    info,
    reader_auth_all: reader_auth_all as Cbor[],
    violations: [
      ...violationUnless(
        documents.length === read.length,
        'annex_c.items_request',
        place,
        'a docRequest has no docType, or no element with its intention to retain it',
      ),
      ...violationUnless(
        doctypes.size === documents.length,
        'annex_c.doctype',
        place,
        'two docRequests have the same docType',
      ),
    ],
  }
}

function readDocumentRequest(docRequest: Cbor): DocumentRequest | undefined {
  if (!isMapOf(docRequest, ['itemsRequest', 'readerAuth'])) return undefined
  const encoded = readEmbedded(docRequest.get('itemsRequest'))
  const items = encoded && decodeCbor(encoded)
  if (encoded === undefined || !isMapOf(items, ['docType', 'nameSpaces', 'requestInfo'])) return undefined
  const doctype = items.get('docType')
  const claims = readElements(items.get('nameSpaces'))
  if (typeof doctype !== 'string' || claims === undefined) return undefined
  const requestInfo = items.get('requestInfo') ?? new Map<Cbor, Cbor>()
  if (!isMapOf(requestInfo, ['euWrprc', 'alternativeDataElements'])) return undefined
  const registration = requestInfo.get('euWrprc')
  const given = requestInfo.get('alternativeDataElements')
  const alternatives = given === undefined ? undefined : readAlternatives(given, claims)
  if (given !== undefined && alternatives === undefined) return undefined
  const readerAuth = docRequest.get('readerAuth')
  return {
    doctype,
    claims,
    items_request: encoded,
    ...(readerAuth !== undefined && { reader_auth: readerAuth }),
    ...(registration instanceof Uint8Array && { registration }),
    ...(alternatives && { alternatives }),
  }
}

/** One entry, as Apple's wallet reads it, for a requested element. */
function readAlternatives(item: Cbor, claims: readonly ClaimsQuery[]): DocumentRequest['alternatives'] {
  const [entry, ...more] = Array.isArray(item) ? (item as Cbor[]) : []
  if (more.length > 0 || !isMapOf(entry, ['requestedElement', 'alternativeElementSets'])) return undefined
  const element = readReference(entry.get('requestedElement'))
  const replaced = claims.find(({ path }) => path.join('\0') === element?.path.join('\0'))
  const sets = readList(entry.get('alternativeElementSets')).map((set) => readList(set).map(readReference))
  const isComplete = sets.length > 0 && sets.every((set) => set.length > 0 && !set.includes(undefined))
  if (replaced === undefined || !isComplete) return undefined
  return { replaced, sets: sets.map((set) => set.filter((each) => each !== undefined)) }
}

function readReference(item: Cbor | undefined): ClaimsQuery | undefined {
  const [namespace, element, ...more] = readList(item)
  if (typeof namespace !== 'string' || typeof element !== 'string' || more.length > 0) return undefined
  return { path: [namespace, element] }
}

/** At least one use case, each with at least one set of documents of the request. */
function readUseCases(info: Uint8Array, documents: number): UseCase[] | undefined {
  const item = decodeCbor(info)
  const given = isMapOf(item, ['useCases']) ? readList(item.get('useCases')) : []
  const useCases = given.flatMap((each) => {
    if (!isMapOf(each, ['mandatory', 'documentSets'])) return []
    const mandatory = each.get('mandatory')
    const document_sets = readList(each.get('documentSets')).map(readList)
    const isComplete =
      document_sets.length > 0 &&
      document_sets.every(
        (set) => set.length > 0 && set.every((index) => Number.isInteger(index) && Number(index) < documents),
      )
    if (typeof mandatory !== 'boolean' || !isComplete) return []
    return [{ mandatory, document_sets: document_sets.map((set) => set.map(Number)) }]
  })
  return given.length > 0 && useCases.length === given.length ? useCases : undefined
}

function readList(item: Cbor | undefined): Cbor[] {
  return Array.isArray(item) ? (item as Cbor[]) : []
}

/** `bstr .cbor` under tag 24. */
function readEmbedded(item: Cbor | undefined): Uint8Array | undefined {
  const isTagged = typeof item === 'object' && item !== null && 'tag' in item && item.tag === 24
  return isTagged && item.value instanceof Uint8Array ? item.value : undefined
}

/** Namespaces with at least one element each. The value of an element is whether the verifier intends to retain it. */
function readElements(namespaces: Cbor | undefined): ClaimsQuery[] | undefined {
  if (!(namespaces instanceof Map) || namespaces.size === 0) return undefined
  const claims: ClaimsQuery[] = []
  for (const [namespace, elements] of namespaces as ReadonlyMap<Cbor, Cbor>) {
    if (typeof namespace !== 'string' || !(elements instanceof Map) || elements.size === 0) return undefined
    for (const [element, retained] of elements as ReadonlyMap<Cbor, Cbor>) {
      if (typeof element !== 'string' || typeof retained !== 'boolean') return undefined
      claims.push({ path: [namespace, element] })
    }
  }
  return claims
}
