import { createRequire } from 'node:module'
import { ExclusiveCanonicalization } from 'xml-crypto'

/** The part of the Document Object Model that is used here. */
export type XmlNode = {
  readonly nodeType: number
  readonly firstChild: XmlNode | null
  readonly nextSibling: XmlNode | null
  readonly textContent: string | null
}
export type XmlElement = XmlNode & {
  readonly localName: string
  readonly namespaceURI: string | null
  getAttribute: (name: string) => string | null
  getAttributeNS: (namespace: string, name: string) => string | null
  getElementsByTagNameNS: (namespace: string, name: string) => { readonly length: number }
  removeChild: (child: XmlNode) => void
}

type ErrorHandler = (message: string) => void
type Parser = {
  parseFromString: (text: string, mediaType: string) => { documentElement?: XmlElement | null }
}
type ParserModule = { DOMParser: new (options: { errorHandler: Record<string, ErrorHandler> }) => Parser }

// The declarations of this package would bring those of a browser into the whole program.
const require = createRequire(import.meta.url)
const { DOMParser } = require('@xmldom/xmldom') as ParserModule // as version 0.8 documents it

/** The text was not well-formed, or has what a list never has. */
export class XmlError extends Error {}

/** No list has a document type, and entities are declared nowhere else. */
const declarations = /<!(?:DOCTYPE|ENTITY)/i

/** Parses a document strictly: the parser's warnings are errors. Throws an XmlError. */
export function parseXml(text: string): XmlElement {
  if (declarations.test(text)) throw new XmlError('the trust list has a document type')
  const refuse = (message: string): never => {
    throw new XmlError(`the trust list is not well-formed: ${message.slice(0, 200)}`)
  }
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } })
  const root = parser.parseFromString(text, 'text/xml').documentElement
  return root ?? refuse('it is empty')
}

/** Exclusive canonical XML 1.0, without comments. */
export function canonicalize(element: XmlElement): string {
  return new ExclusiveCanonicalization().process(element, {})
}

/** The child elements of a name. */
export function listChildren(parent: XmlElement | undefined, namespace: string, name: string): XmlElement[] {
  const found: XmlElement[] = []
  for (let node = parent?.firstChild ?? null; node !== null; node = node.nextSibling) {
    if (isElement(node) && node.localName === name && node.namespaceURI === namespace) found.push(node)
  }
  return found
}

/** The text of an element, without white space around it; empty if there is no element. */
export function readText(element: XmlElement | undefined): string {
  return element?.textContent?.trim() ?? ''
}

export function isElement(node: XmlNode): node is XmlElement {
  return node.nodeType === 1
}
