import { createHash } from 'node:crypto'
import { generateSigningKey, signRaw, type SigningKey } from '../keys/signing-key.ts'
import type { Signer } from '../issuer/signer.ts'
import { buildList, listId, toLines, type TrustedListContent } from './build-trusted-list.ts'
import type { ListOperator } from './list-operator.ts'
import { canonicalize, element, publish, type XmlElement, type XmlNamespaces } from './xml.ts'

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
  // Declared also where nothing uses it, as in most published lists.
  tslx: 'http://uri.etsi.org/02231/v2/additionaltypes#',
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const xpath = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
const propertiesId = 'xades-signed-properties'

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
