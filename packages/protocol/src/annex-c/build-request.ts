import { wrapInTag24, writeCbor, type CborParts } from '../cbor/write.ts'
import type { AnyQuery } from '../dcql/query.ts'
import { buildSessionTranscript } from '../mdoc/session-transcript.ts'
import { buildEncryptionInfo, type EncryptionInfoInput } from './encryption-info.ts'
import {
  listRequestedDocuments,
  type RequestedDocument,
  type RequestedElement,
  type UseCase,
} from './requested-documents.ts'
import { signAsReader, type Reader } from './sign-reader-auth.ts'

export type AnnexCRequestInput = EncryptionInfoInput & {
  dcql_query: AnyQuery
  /** Of the page that calls the API, as the browser writes it. */
  origin: string
  /** Signs each document's request if given. A wallet may show who asks, and may answer only readers that it knows. */
  reader?: Reader
  /** Readers for other wallets, such as Apple's. All of them sign the request as a whole. */
  other_readers?: readonly Reader[]
  /** The compact JWT of the registration certificate that the request is made under, if any. */
  registration?: string | undefined
}

/** The `data` of a request for the protocol `org-iso-mdoc`: CBOR in base64url. */
export type AnnexCRequest = { deviceRequest: string; encryptionInfo: string }

/** Builds the request of ISO/IEC TS 18013-7 Annex C. Undefined if mdocs alone cannot satisfy the query. */
export async function buildAnnexCRequest(input: AnnexCRequestInput): Promise<AnnexCRequest | undefined> {
  const encryptionInfo = buildEncryptionInfo(input)
  const binding = { channel: 'annex_c', origin: input.origin, encryption_info: encryptionInfo } as const
  const transcript = buildSessionTranscript(binding)
  const deviceRequest = await buildDeviceRequest({ ...input, transcript })
  return deviceRequest === undefined ? undefined : { deviceRequest, encryptionInfo }
}

export type DeviceRequestInput = Pick<
  AnnexCRequestInput,
  'dcql_query' | 'reader' | 'other_readers' | 'registration'
> & {
  /** Of the session that the reader's signatures are for. */
  transcript: Uint8Array
}

/**
 * Builds a DeviceRequest (ISO/IEC 18013-5 §8.3.2.1.2.1) in base64url. Undefined if mdocs alone cannot satisfy the query. One document
 * without alternatives for one reader is of version 1.0, which every wallet reads; more is of version 1.1, always with use cases, without which iOS
 * refuses it.
 */
export async function buildDeviceRequest({
  dcql_query,
  transcript,
  reader,
  other_readers: others = [],
  registration,
}: DeviceRequestInput): Promise<string | undefined> {
  const requested = listRequestedDocuments(dcql_query)
  if (requested === undefined) return undefined
  const { documents, use_cases } = requested
  const itemsRequests = documents.map((document) =>
    wrapInTag24(writeCbor(describeItems(document, registration))),
  )
  const docRequests = await Promise.all(
    itemsRequests.map((itemsRequest) => buildDocRequest(itemsRequest, transcript, reader)),
  )
  const isSimple = documents.length === 1 && documents[0]?.alternatives === undefined && others.length === 0
  const alternatives = isSimple
    ? []
    : await describeUseCases(use_cases, {
        transcript,
        itemsRequests,
        readers: reader === undefined ? others : [reader, ...others],
      })
  const deviceRequest = writeCbor(
    new Map<string, CborParts>([
      ['version', isSimple ? '1.0' : '1.1'],
      ['docRequests', docRequests],
      ...alternatives,
    ]),
  )
  return deviceRequest.toString('base64url')
}

type SignedItems = { transcript: Uint8Array; itemsRequests: Uint8Array[]; readers: readonly Reader[] }

/** The members of a DeviceRequest 1.1 (ISO/IEC 18013-5, second edition): which documents are enough, and each reader's signature over all of it. */
async function describeUseCases(
  useCases: readonly UseCase[],
  { transcript, itemsRequests, readers }: SignedItems,
): Promise<[string, CborParts][]> {
  const info = wrapInTag24(
    writeCbor(
      new Map([
        [
          'useCases',
          useCases.map(
            ({ mandatory, document_sets }) =>
              new Map<string, CborParts>([
                ['mandatory', mandatory],
                ['documentSets', document_sets],
              ]),
          ),
        ],
      ]),
    ),
  )
  const members: [string, CborParts][] = [['deviceRequestInfo', { encoded: info }]]
  if (readers.length === 0) return members
  const signed: CborParts = [
    'ReaderAuthenticationAll',
    { encoded: transcript },
    itemsRequests.map((encoded) => ({ encoded })),
    { encoded: info },
  ]
  const signatures = await Promise.all(readers.map((reader) => signAsReader(signed, reader)))
  return [...members, ['readerAuthAll', signatures]]
}

/** ISO/IEC 18013-5 §8.3.2.1.2.1 */
async function buildDocRequest(
  itemsRequest: Uint8Array,
  transcript: Uint8Array,
  reader: Reader | undefined,
): Promise<CborParts> {
  const docRequest = new Map<string, CborParts>([['itemsRequest', { encoded: itemsRequest }]])
  if (reader !== undefined) {
    const signed = ['ReaderAuthentication', { encoded: transcript }, { encoded: itemsRequest }]
    docRequest.set('readerAuth', await signAsReader(signed, reader))
  }
  return docRequest
}

function describeItems(
  { doc_type, elements, alternatives }: RequestedDocument,
  registration: string | undefined,
): CborParts {
  const nameSpaces = new Map<string, Map<string, boolean>>()
  for (const { name_space, name, intent_to_retain } of elements) {
    const members = nameSpaces.get(name_space) ?? new Map<string, boolean>()
    nameSpaces.set(name_space, members.set(name, intent_to_retain))
  }
  const requestInfo = new Map<string, CborParts>([
    ...(alternatives === undefined
      ? []
      : [['alternativeDataElements', [describeAlternatives(alternatives)]] as const]),
    // The same certificate is in every ItemsRequest (ETSI TS 119 472-2 §5.3.2), as bytes: wallets tell a JWT from a CWT by its content.
    ...(registration === undefined ? [] : [['euWrprc', Buffer.from(registration, 'latin1')] as const]),
  ])
  return new Map<string, CborParts>([
    ['docType', doc_type],
    ['nameSpaces', nameSpaces],
    ...(requestInfo.size === 0 ? [] : [['requestInfo', requestInfo] as const]),
  ])
}

function describeAlternatives({ replaced, sets }: NonNullable<RequestedDocument['alternatives']>): CborParts {
  const toReference = ({ name_space, name }: RequestedElement): CborParts => [name_space, name]
  return new Map<string, CborParts>([
    ['requestedElement', toReference(replaced)],
    ['alternativeElementSets', sets.map((set) => set.map(toReference))],
  ])
}
