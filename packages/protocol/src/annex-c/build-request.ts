import { wrapInTag24, writeCbor, type CborParts } from '../cbor/write.ts'
import type { AnyQuery } from '../dcql/query.ts'
import { buildSessionTranscript } from '../mdoc/session-transcript.ts'
import { buildEncryptionInfo, type EncryptionInfoInput } from './encryption-info.ts'
import { listRequestedDocuments, type RequestedDocument } from './requested-documents.ts'
import { signReaderAuth, type Reader } from './sign-reader-auth.ts'

export type AnnexCRequestInput = EncryptionInfoInput & {
  dcql_query: AnyQuery
  /** Of the page that calls the API, as the browser writes it. */
  origin: string
  /** Signs the request if given. A wallet may show who asks, and may answer only readers that it knows. */
  reader?: Reader
  /** The compact JWT of the registration certificate that the request is made under, if any. */
  registration?: string | undefined
}

/** The `data` of a request for the protocol `org-iso-mdoc`: CBOR in base64url. */
export type AnnexCRequest = { deviceRequest: string; encryptionInfo: string }

/** Builds the request of ISO/IEC TS 18013-7 Annex C. Undefined if mdocs alone cannot satisfy the query. */
export async function buildAnnexCRequest(input: AnnexCRequestInput): Promise<AnnexCRequest | undefined> {
  const documents = listRequestedDocuments(input.dcql_query)
  if (documents === undefined) return undefined
  const { origin, reader, registration } = input
  const encryptionInfo = buildEncryptionInfo(input)
  const transcript = buildSessionTranscript({ channel: 'annex_c', origin, encryption_info: encryptionInfo })
  const docRequests = await Promise.all(
    documents.map((document) => buildDocRequest(describeItems(document, registration), transcript, reader)),
  )
  const deviceRequest = writeCbor(
    new Map<string, CborParts>([
      ['version', '1.0'],
      ['docRequests', docRequests],
    ]),
  )
  return { deviceRequest: deviceRequest.toString('base64url'), encryptionInfo }
}

/** ISO/IEC 18013-5 §8.3.2.1.2.1 */
async function buildDocRequest(
  items: CborParts,
  transcript: Uint8Array,
  reader: Reader | undefined,
): Promise<CborParts> {
  const itemsRequest = wrapInTag24(writeCbor(items))
  const docRequest = new Map<string, CborParts>([['itemsRequest', { encoded: itemsRequest }]])
  if (reader !== undefined)
    docRequest.set('readerAuth', await signReaderAuth({ transcript, itemsRequest }, reader))
  return docRequest
}

/** The same certificate is in every ItemsRequest, whose bytes `readerAuth` signs (ETSI TS 119 472-2 §5.3.2). */
function describeItems(
  { doc_type, elements }: RequestedDocument,
  registration: string | undefined,
): CborParts {
  const nameSpaces = new Map<string, Map<string, boolean>>()
  for (const { name_space, name, intent_to_retain } of elements) {
    const members = nameSpaces.get(name_space) ?? new Map<string, boolean>()
    nameSpaces.set(name_space, members.set(name, intent_to_retain))
  }
  return new Map<string, CborParts>([
    ['docType', doc_type],
    ['nameSpaces', nameSpaces],
    ...(registration === undefined ? [] : [['requestInfo', describeRegistration(registration)] as const]),
  ])
}

/** A byte string: wallets tell a JWT from a CWT by its content. */
function describeRegistration(token: string): CborParts {
  return new Map([['euWrprc', Buffer.from(token, 'latin1')]])
}
