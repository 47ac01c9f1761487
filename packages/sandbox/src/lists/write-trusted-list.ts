import { createHash } from 'node:crypto'
import { generateSigningKey, signRaw, type SigningKey } from '../keys/signing-key.ts'
import type { Signer } from '../issuer/signer.ts'
import type { ListOperator } from './list-operator.ts'
import { canonicalize, element, publish, type XmlElement, type XmlNamespaces } from './xml.ts'

type TrustedListService = {
  type: string
  /** The last part of the status URI; `granted` if absent. */
  status?: string
  status_since?: Date
  certificates: readonly Uint8Array[]
}

export type TrustedListContent = {
  sequence_number: number
  issued_at: Date
  /** Absent for a closed list. */
  next_update?: Date | undefined
  type?: string
  providers: readonly { name: string; services: readonly TrustedListService[] }[]
}

/** What can be wrong with a trusted list whose content is right. */
export type TrustedListFault =
  /** Signed with another key than that of its certificate. */
  | 'other_key'
  /** A service was exchanged after signing. */
  | 'altered_entry'
  /** Only a part of the list is signed. */
  | 'signed_in_part'
  /** The signed list is kept inside another one, where the reference still finds it. */
  | 'wrapped'
  /** Another list is inside the signature, which the signature itself does not cover. */
  | 'list_in_signature'
  | 'second_signature'
  | 'no_signature'
  | 'doctype'
  | 'entity'
  /** The signed properties were exchanged after signing. */
  | 'altered_properties'
  /** An additional transform leaves out what it selects. */
  | 'other_transform'
  | 'sha1'
  | 'hmac'

const namespaces: XmlNamespaces = {
  '': 'http://uri.etsi.org/02231/v2#',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  xades: 'http://uri.etsi.org/01903/v1.3.2#',
  // Declared and used by nothing, as in most published lists.
  tslx: 'http://uri.etsi.org/02231/v2/additionaltypes#',
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const xpath = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
const propertiesId = 'xades-signed-properties'
const listId = 'trusted-list'

export const trustedListType = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric'

/** Writes a trusted list (ETSI TS 119 612) with an enveloped XAdES signature over all of it (annex B). */
export function writeTrustedList(
  { signer }: ListOperator,
  content: TrustedListContent,
  fault?: TrustedListFault,
): string {
  const list = buildList(content)
  if (fault === 'no_signature') return publish(list, namespaces)
  const signature = signList(list, signer, fault)
  return publish(assemble(list, signature, content, fault), namespaces, writeProlog(fault))
}

function writeProlog(fault: TrustedListFault | undefined): string {
  if (fault === 'doctype') return '<!DOCTYPE TrustServiceStatusList>\n'
  return fault === 'entity' ? '<!DOCTYPE TrustServiceStatusList [<!ENTITY a "b">]>\n' : ''
}

function assemble(
  list: XmlElement,
  signature: XmlElement,
  content: TrustedListContent,
  fault: TrustedListFault | undefined,
): XmlElement {
  const other = buildList({ ...content, providers: content.providers.map(alterProvider) })
  if (fault === 'altered_entry') return append(other, signature)
  // The reference names the identifier of the signed list, which is now somewhere else.
  if (fault === 'wrapped') return append(withoutId(other), append(signature, element('ds:Object', [list])))
  if (fault === 'list_in_signature')
    return append(list, append(signature, element('ds:Object', [withoutId(other)])))
  if (fault === 'second_signature') return append(append(list, signature), signature)
  if (fault === 'altered_properties')
    return append(list, replaceText(signature, 'xades:SigningTime', '2020-01-01T00:00:00Z'))
  return append(list, signature)
}

function signList(list: XmlElement, signer: Signer, fault: TrustedListFault | undefined): XmlElement {
  const key = fault === 'other_key' ? generateSigningKey(signer.key.algorithm) : signer.key
  const properties = buildProperties(signer)
  const digest = fault === 'sha1' ? sha1 : sha256
  const whole = reference({ ...coveredPart(list, fault), digest })
  const signedInfo = element('ds:SignedInfo', [
    element('ds:CanonicalizationMethod', [], { Algorithm: exclusive }),
    element('ds:SignatureMethod', [], { Algorithm: fault === 'hmac' ? hmac : signatureMethod(key) }),
    whole,
    reference({
      uri: `#${propertiesId}`,
      transforms: [exclusive],
      covered: properties,
      digest,
      attributes: { Type: 'http://uri.etsi.org/01903#SignedProperties' },
    }),
  ])
  const signed = signRaw(key, Buffer.from(canonicalize(signedInfo, namespaces)))
  return element(
    'ds:Signature',
    [
      signedInfo,
      element('ds:SignatureValue', toLines(Buffer.from(signed))),
      element('ds:KeyInfo', [
        element(
          'ds:X509Data',
          signer.chain.map((certificate) => element('ds:X509Certificate', toLines(certificate))),
        ),
      ]),
      element('ds:Object', [element('xades:QualifyingProperties', [properties], { Target: '#signature' })]),
    ],
    { Id: 'signature' },
  )
}

type Covered = { uri: string; transforms: readonly string[]; covered: XmlElement }

function coveredPart(list: XmlElement, fault: TrustedListFault | undefined): Covered {
  if (fault === 'wrapped') return { uri: `#${listId}`, transforms: [exclusive], covered: list }
  if (fault === 'signed_in_part') {
    const covered = findElement(list, 'SchemeInformation')
    return { uri: `#${listId}-scheme`, transforms: [exclusive], covered }
  }
  const more = fault === 'other_transform' ? [xpath] : []
  return { uri: '', transforms: [enveloped, ...more, exclusive], covered: list }
}

type ReferenceDraft = Covered & { digest: string; attributes?: Record<string, string> }

function reference({ uri, transforms, covered, digest, attributes }: ReferenceDraft): XmlElement {
  const bytes = Buffer.from(canonicalize(covered, namespaces))
  return element(
    'ds:Reference',
    [
      element(
        'ds:Transforms',
        transforms.map((Algorithm) => element('ds:Transform', [], { Algorithm })),
      ),
      element('ds:DigestMethod', [], { Algorithm: digest }),
      element(
        'ds:DigestValue',
        createHash(digest === sha1 ? 'sha1' : 'sha256')
          .update(bytes)
          .digest('base64'),
      ),
    ],
    { URI: uri, ...attributes },
  )
}

function signatureMethod({ algorithm }: SigningKey): string {
  const bits = { ES256: '256', ES384: '384', ES512: '512' } as const
  if (!Object.hasOwn(bits, algorithm))
    throw new TypeError(`The sandbox writes no XML signature with ${algorithm}.`)
  return `http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha${bits[algorithm as keyof typeof bits]}` // checked above
}

/** XAdES (ETSI EN 319 132-1 §5.2): when, and with which certificate. */
function buildProperties({ chain }: Signer): XmlElement {
  const [certificate] = chain
  if (certificate === undefined) throw new TypeError('The signer has no certificate.')
  return element(
    'xades:SignedProperties',
    [
      element('xades:SignedSignatureProperties', [
        element('xades:SigningTime', '2026-01-01T00:00:00Z'),
        element('xades:SigningCertificateV2', [
          element('xades:Cert', [
            element('xades:CertDigest', [
              element('ds:DigestMethod', [], { Algorithm: sha256 }),
              element('ds:DigestValue', createHash('sha256').update(certificate).digest('base64')),
            ]),
          ]),
        ]),
      ]),
    ],
    { Id: propertiesId },
  )
}

function buildList({
  sequence_number,
  issued_at,
  next_update,
  type = trustedListType,
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
          element('SchemeTerritory', 'UT'),
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

function alterProvider(
  provider: TrustedListContent['providers'][number],
): TrustedListContent['providers'][number] {
  return { ...provider, name: `${provider.name} (altered)` }
}

function append(parent: XmlElement, child: XmlElement): XmlElement {
  return { ...parent, children: [...parent.children, child] }
}

function withoutId({ attributes, ...list }: XmlElement): XmlElement {
  const { Id: _, ...rest } = attributes
  return { ...list, attributes: rest }
}

function findElement(parent: XmlElement, name: string): XmlElement {
  const found = parent.children.find((child) => typeof child !== 'string' && child.name === name)
  if (found === undefined || typeof found === 'string') throw new TypeError(`There is no ${name}.`)
  return found
}

function replaceText(node: XmlElement, name: string, text: string): XmlElement {
  if (node.name === name) return { ...node, children: [text] }
  return {
    ...node,
    children: node.children.map((child) =>
      typeof child === 'string' ? child : replaceText(child, name, text),
    ),
  }
}

function toTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

function toLines(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\n')
}
