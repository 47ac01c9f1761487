import { element, type XmlElement } from './xml.ts'

type TrustedListService = {
  type: string
  /** The last part of the status URI; `granted` if absent. */
  status?: string
  status_since?: Date
  certificates: readonly Uint8Array[]
}

/** A pointer to another list, and who signs that one. */
export type TrustedListPointer = {
  location: string
  territory: string
  type?: string
  media_type?: string
  certificates: readonly Uint8Array[]
}

export type TrustedListContent = {
  sequence_number: number
  issued_at: Date
  /** Absent for a closed list. */
  next_update?: Date | undefined
  type?: string
  territory?: string
  pointers?: readonly TrustedListPointer[]
  providers: readonly { name: string; services: readonly TrustedListService[] }[]
}

export const trustedListType = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric'

/** The identifier of the whole list. That of its scheme information has `-scheme` after it. */
export const listId = 'trusted-list'

/** The content of a trusted list (ETSI TS 119 612), without a signature. */
export function buildList({
  sequence_number,
  issued_at,
  next_update,
  type = trustedListType,
  territory = 'UT',
  pointers = [],
  providers,
}: TrustedListContent): XmlElement {
  return element(
    'TrustServiceStatusList',
    [
      '\n',
      element(
        'SchemeInformation',
        [
          element('TSLVersionIdentifier', '6'),
          element('TSLSequenceNumber', String(sequence_number)),
          element('TSLType', type),
          element('SchemeOperatorName', [element('Name', 'Operator & Söhne <UT>', { 'xml:lang': 'en' })]),
          element('SchemeTerritory', territory),
          ...(pointers.length === 0 ? [] : [element('PointersToOtherTSL', pointers.map(buildPointer))]),
          element('ListIssueDateTime', toTime(issued_at)),
          element('NextUpdate', next_update === undefined ? [] : [element('dateTime', toTime(next_update))]),
        ],
        { Id: `${listId}-scheme` },
      ),
      '\n',
      element('TrustServiceProviderList', providers.map(buildProvider)),
      '\n',
    ],
    { Id: listId, TSLTag: 'http://uri.etsi.org/19612/TSLTag' },
  )
}

/** §5.3.13. */
function buildPointer({
  location,
  territory,
  type = trustedListType,
  media_type = 'application/vnd.etsi.tsl+xml',
  certificates,
}: TrustedListPointer): XmlElement {
  const information = [
    element('TSLType', type),
    element('SchemeTerritory', territory),
    element('tslx:MimeType', media_type),
  ]
  return element('OtherTSLPointer', [
    element(
      'ServiceDigitalIdentities',
      certificates.map((certificate) =>
        element('ServiceDigitalIdentity', [
          element('DigitalId', [element('X509Certificate', toLines(certificate))]),
        ]),
      ),
    ),
    element('TSLLocation', location),
    element(
      'AdditionalInformation',
      information.map((member) => element('OtherInformation', [member])),
    ),
  ])
}

function buildProvider({ name, services }: TrustedListContent['providers'][number]): XmlElement {
  return element('TrustServiceProvider', [
    element('TSPInformation', [
      element('TSPName', [
        element('Name', `${name} (fr)`, { 'xml:lang': 'fr' }),
        element('Name', name, { 'xml:lang': 'en' }),
      ]),
    ]),
    element('TSPServices', services.map(buildService)),
  ])
}

function buildService({
  type,
  status = 'granted',
  status_since,
  certificates,
}: TrustedListService): XmlElement {
  return element('TSPService', [
    element('ServiceInformation', [
      element('ServiceTypeIdentifier', type),
      element('ServiceName', [element('Name', 'Service', { 'xml:lang': 'en' })]),
      element(
        'ServiceDigitalIdentity',
        certificates.map((certificate) =>
          element('DigitalId', [element('X509Certificate', toLines(certificate))]),
        ),
      ),
      element('ServiceStatus', `http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}`),
      element('StatusStartingTime', toTime(status_since ?? new Date(0))),
    ]),
    // The history has the same elements, and none of them counts.
    element('ServiceHistory', [
      element('ServiceHistoryInstance', [
        element('ServiceTypeIdentifier', type),
        element('ServiceStatus', 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/withdrawn'),
        element('StatusStartingTime', toTime(new Date(0))),
      ]),
    ]),
  ])
}

function toTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

/** Base64 in lines of 76 characters, as published lists have it. */
export function toLines(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\n')
}
