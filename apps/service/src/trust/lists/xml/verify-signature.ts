import { constants, createHash, verify, type KeyObject } from 'node:crypto'
import { findListSignerKey, type ListSigners } from '@vidimus/protocol'
import {
  canonicalize,
  isElement,
  listChildren,
  parseXml,
  readText,
  XmlError,
  type XmlElement,
} from './dom.ts'

const ds = 'http://www.w3.org/2000/09/xmldsig#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = 'http://www.w3.org/2007/05/xmldsig-more#'

/** RFC 9231. Nothing with SHA-1, and no MAC. */
const digests = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])
type SignatureMethod = { kind: 'rsa' | 'pss' | 'ec'; hash: string }
const signatureMethods = new Map<string, SignatureMethod>(
  ['sha256', 'sha384', 'sha512'].flatMap((hash): [string, SignatureMethod][] => [
    [`${more}rsa-${hash}`, { kind: 'rsa', hash }],
    [`${pss}${hash}-rsa-MGF1`, { kind: 'pss', hash }],
    [`${more}ecdsa-${hash}`, { kind: 'ec', hash }],
  ]),
)

/** The list itself, the properties of the signature, and perhaps its certificate. */
const maxReferences = 4

/**
 * Verifies the signature of a list and returns the bytes that it covers, as canonical XML without the signature: nothing else may be read
 * from the list. Only the form of ETSI TS 119 612 annex B is accepted: one enveloped signature, a child of the root, over
 * the whole document. Throws an XmlError.
 */
export function verifyEnvelopedSignature(text: string, signers: ListSigners): string {
  const root = parseXml(text)
  const signature = findSignature(root)
  const signedInfo = expectOne(listChildren(signature, ds, 'SignedInfo'), 'SignedInfo')
  const key = findKey(signature, signers)

  // What is read below is the canonical form, which the signature covers, and not the document.
  const canonicalInfo = canonicalize(signedInfo)
  const info = parseXml(canonicalInfo)
  const value = readText(expectOne(listChildren(signature, ds, 'SignatureValue'), 'SignatureValue'))
  if (!isSigned(findMethod(info), key, canonicalInfo, Buffer.from(value, 'base64')))
    throw new XmlError('the signature of the trust list does not match its signer')

  const references = listChildren(info, ds, 'Reference')
  const whole = references.filter((reference) => reference.getAttribute('URI') === '')
  if (references.length > maxReferences || whole.length !== 1)
    throw new XmlError('the signature does not cover the trust list')
  for (const reference of references) {
    if (!whole.includes(reference)) checkPart(signature, reference)
  }
  root.removeChild(signature)
  return checkWhole(root, expectOne(whole, 'Reference'))
}

/** A second signature, wherever it is, could be taken for the one that was verified. */
function findSignature(root: XmlElement): XmlElement {
  const all = root.getElementsByTagNameNS(ds, 'Signature')
  const signature = expectOne(listChildren(root, ds, 'Signature'), 'Signature')
  if (all.length !== 1) throw new XmlError('the trust list has several signatures')
  return signature
}

/** The certificates prove nothing by themselves: one must be pinned, or certified by a pinned authority. */
function findKey(signature: XmlElement, signers: ListSigners): KeyObject {
  const chain = listChildren(signature, ds, 'KeyInfo')
    .flatMap((info) => listChildren(info, ds, 'X509Data'))
    .flatMap((data) => listChildren(data, ds, 'X509Certificate'))
    .map((certificate) => Buffer.from(readText(certificate), 'base64'))
  const key = findListSignerKey(chain, signers)
  if ('error' in key) throw new XmlError(key.error)
  return key.value
}

function findMethod(info: XmlElement): SignatureMethod {
  const canonicalization = expectOne(
    listChildren(info, ds, 'CanonicalizationMethod'),
    'CanonicalizationMethod',
  )
  const method = signatureMethods.get(
    readAlgorithm(expectOne(listChildren(info, ds, 'SignatureMethod'), 'SignatureMethod')),
  )
  if (readAlgorithm(canonicalization) !== exclusive || method === undefined)
    throw new XmlError('the signature algorithm of the trust list is not accepted')
  return method
}

function isSigned({ kind, hash }: SignatureMethod, key: KeyObject, signed: string, value: Buffer): boolean {
  if (key.asymmetricKeyType !== (kind === 'ec' ? 'ec' : 'rsa')) return false
  const bytes = Buffer.from(signed)
  switch (kind) {
    case 'rsa':
      return verify(hash, bytes, key, value)
    case 'pss': {
      const padding = constants.RSA_PKCS1_PSS_PADDING
      return verify(hash, bytes, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, value)
    }
    case 'ec':
      return verify(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, value)
  }
}

function checkWhole(root: XmlElement, reference: XmlElement): string {
  if (readTransforms(reference).join(' ') !== `${enveloped} ${exclusive}`)
    throw new XmlError('the signature does not cover the trust list')
  return checkDigest(root, reference)
}

/** Any other reference is to a part of the signature, such as its properties (ETSI EN 319 132-1 §4.4.2). */
function checkPart(signature: XmlElement, reference: XmlElement): void {
  const id = /^#([\w.-]{1,200})$/.exec(reference.getAttribute('URI') ?? '')?.[1]
  const parts =
    id === undefined ? [] : listDescendants(signature).filter((part) => part.getAttribute('Id') === id)
  if (readTransforms(reference).join(' ') !== exclusive)
    throw new XmlError('the signature of the trust list has another form')
  checkDigest(expectOne(parts, 'signed part'), reference)
}

function checkDigest(element: XmlElement, reference: XmlElement): string {
  const hash = digests.get(
    readAlgorithm(expectOne(listChildren(reference, ds, 'DigestMethod'), 'DigestMethod')),
  )
  if (hash === undefined) throw new XmlError('the signature algorithm of the trust list is not accepted')
  const canonical = canonicalize(element)
  const digest = readText(expectOne(listChildren(reference, ds, 'DigestValue'), 'DigestValue'))
  // Base64 in XML may contain white space (XML Schema, base64Binary).
  if (createHash(hash).update(canonical).digest('base64') !== digest.replaceAll(/\s/g, ''))
    throw new XmlError('the signature of the trust list does not match its content')
  return canonical
}

/** A transform with parameters, such as a list of prefixes, has elements of its own and is not accepted. */
function readTransforms(reference: XmlElement): string[] {
  return listChildren(reference, ds, 'Transforms')
    .flatMap((transforms) => listChildren(transforms, ds, 'Transform'))
    .map(readAlgorithm)
}

function readAlgorithm(element: XmlElement): string {
  const hasParameters = listDescendants(element).length > 0
  return hasParameters ? '' : (element.getAttribute('Algorithm') ?? '')
}

function listDescendants(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (isElement(node)) found.push(node, ...listDescendants(node))
  }
  return found
}

function expectOne(elements: readonly XmlElement[], name: string): XmlElement {
  const [element] = elements
  if (element === undefined || elements.length !== 1)
    throw new XmlError(`the trust list does not have one ${name}`)
  return element
}
