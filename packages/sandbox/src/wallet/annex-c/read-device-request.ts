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
}

const place = 'ISO/IEC 18013-5 §8.3.2.1.2.1'

/** Reads a DeviceRequest: the requested documents, each with its elements. */
export function readDeviceRequest(text: unknown): { documents: DocumentRequest[]; violations: Violation[] } {
  const item = readBase64urlCbor(text)
  const docRequests = isMapOf(item, ['version', 'docRequests']) ? item.get('docRequests') : undefined
  const version = isMapOf(item, ['version', 'docRequests']) ? item.get('version') : undefined
  if (version !== '1.0' || !Array.isArray(docRequests) || docRequests.length === 0) {
    const message = 'deviceRequest is not a DeviceRequest of version 1.0 in base64url'
    return { documents: [], violations: violationUnless(false, 'annex_c.device_request', place, message) }
  }
  const read = (docRequests as Cbor[]).map(readDocumentRequest)
  const documents = read.filter((each) => each !== undefined)
  const doctypes = new Set(documents.map(({ doctype }) => doctype))
  return {
    documents,
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
  const requestInfo = items.get('requestInfo')
  const registration = requestInfo instanceof Map ? (requestInfo.get('euWrprc') as Cbor) : undefined
  const readerAuth = docRequest.get('readerAuth')
  return {
    doctype,
    claims,
    items_request: encoded,
    ...(readerAuth !== undefined && { reader_auth: readerAuth }),
    ...(registration instanceof Uint8Array && { registration }),
  }
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
