import {
  readTrustServices,
  type ListSigners,
  type PointerEntry,
  type TrustList,
  type TrustServiceEntry,
  type TrustServiceList,
  type TrustServiceProvider,
  type TrustServicesRequest,
} from '@vidimus/protocol'
import { listChildren, parseXml, readText, XmlError, type XmlElement } from './dom.ts'
import { verifyEnvelopedSignature } from './verify-signature.ts'

const tsl = 'http://uri.etsi.org/02231/v2#'
/** The namespace of a pointer's media type. */
const more = 'http://uri.etsi.org/02231/v2/additionaltypes#'
const xml = 'http://www.w3.org/XML/1998/namespace'
const max_bytes = 16 * 1024 * 1024

/** Reads a trusted list (ETSI TS 119 612). Takes seconds and hundreds of megabytes for a long list: only for a thread of its own. */
export function readXmlList(
  bytes: Uint8Array,
  request: TrustServicesRequest & ListSigners,
): { value: TrustList } | { error: string } {
  try {
    if (bytes.length > max_bytes) throw new XmlError('the trust list is too large')
    const signed = parseXml(verifyEnvelopedSignature(decodeUtf8(bytes), request))
    if (signed.localName !== 'TrustServiceStatusList' || signed.namespaceURI !== tsl)
      throw new XmlError('the trust list has no TrustServiceStatusList')
    return readTrustServices(readList(signed), request)
  } catch (error) {
    if (error instanceof XmlError) return { error: error.message }
    // Nesting deeper than the stack. Everything else is a mistake of ours.
    if (error instanceof RangeError) return { error: 'the trust list is nested too deeply' }
    throw error
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // TextDecoder throws if the bytes are not UTF-8, which §5.1.1 requires.
    throw new XmlError('the trust list is not UTF-8')
  }
}

function readList(root: XmlElement): TrustServiceList {
  const scheme = child(root, 'SchemeInformation')
  return {
    version: readText(child(scheme, 'TSLVersionIdentifier')),
    type: readText(child(scheme, 'TSLType')),
    sequence_number: readText(child(scheme, 'TSLSequenceNumber')),
    issued_at: readText(child(scheme, 'ListIssueDateTime')),
    next_update: readText(child(child(scheme, 'NextUpdate'), 'dateTime')),
    territory: readText(child(scheme, 'SchemeTerritory')),
    pointers: children(child(scheme, 'PointersToOtherTSL'), 'OtherTSLPointer').map(readPointer),
    providers: children(child(root, 'TrustServiceProviderList'), 'TrustServiceProvider').map(readProvider),
  }
}

/** §5.3.13. */
function readPointer(pointer: XmlElement): PointerEntry {
  const information = children(child(pointer, 'AdditionalInformation'), 'OtherInformation')
  const readOther = (name: string, namespace = tsl) =>
    readText(information.flatMap((each) => listChildren(each, namespace, name))[0])
  return {
    location: readText(child(pointer, 'TSLLocation')),
    type: readOther('TSLType'),
    territory: readOther('SchemeTerritory'),
    media_type: readOther('MimeType', more),
    certificates: children(child(pointer, 'ServiceDigitalIdentities'), 'ServiceDigitalIdentity').flatMap(
      readCertificates,
    ),
  }
}

function readProvider(provider: XmlElement): TrustServiceProvider {
  const information = child(provider, 'TSPInformation')
  return {
    names: readNames(child(information, 'TSPName')),
    trade_names: readNames(child(information, 'TSPTradeName')),
    services: children(child(provider, 'TSPServices'), 'TSPService').map(readService),
  }
}

/** The current information only: what a service was before is in its history. */
function readService(service: XmlElement): TrustServiceEntry {
  const information = child(service, 'ServiceInformation')
  return {
    type: readText(child(information, 'ServiceTypeIdentifier')),
    status: readText(child(information, 'ServiceStatus')),
    status_since: readText(child(information, 'StatusStartingTime')),
    certificates: readCertificates(child(information, 'ServiceDigitalIdentity')),
  }
}

function readCertificates(identity: XmlElement | undefined): string[] {
  return children(identity, 'DigitalId')
    .flatMap((id) => children(id, 'X509Certificate'))
    .map(readText)
}

/** The English one first. */
function readNames(element: XmlElement | undefined): string[] {
  const names = children(element, 'Name')
  const english = names.filter((name) => name.getAttributeNS(xml, 'lang') === 'en')
  return [...english, ...names].map(readText)
}

function children(parent: XmlElement | undefined, name: string): XmlElement[] {
  return listChildren(parent, tsl, name)
}

function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return children(parent, name)[0]
}
