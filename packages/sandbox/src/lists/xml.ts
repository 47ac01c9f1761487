/** An element of a document that this sandbox writes. Names carry their prefix; declarations are added when it is written. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
}
type XmlNode = XmlElement | string

/** Namespace names by prefix; the empty prefix is the default namespace. */
export type XmlNamespaces = Readonly<Record<string, string>>

export function element(
  name: string,
  children: readonly XmlNode[] | string = [],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  return { name, attributes, children: typeof children === 'string' ? [children] : children }
}

/**
 * Exclusive canonical XML 1.0 without comments, of a document or a part of one. `rendered` are the declarations that the output
 * already contains.
 */
export function canonicalize(node: XmlNode, namespaces: XmlNamespaces, rendered: XmlNamespaces = {}): string {
  if (typeof node === 'string') return escapeText(node)
  const { name, attributes, children } = node
  const added = usedPrefixes(node).filter((prefix) => rendered[prefix] !== namespaces[prefix])
  const declarations = added.map((prefix) => writeDeclaration(prefix, namespaces[prefix] ?? ''))
  const within = {
    ...rendered,
    ...Object.fromEntries(added.map((prefix) => [prefix, namespaces[prefix] ?? ''])),
  }
  const written = sortAttributes(attributes, namespaces).map(
    ([key, value]) => ` ${key}="${escapeAttribute(value)}"`,
  )
  const content = children.map((child) => canonicalize(child, namespaces, within)).join('')
  return `<${name}${declarations.join('')}${written.join('')}>${content}</${name}>`
}

/**
 * The document as published, which means the same and looks different: every namespace on the root, used or not, a comment in
 * each element that has elements, single quotes, and short forms of empty elements.
 */
export function publish(root: XmlElement, namespaces: XmlNamespaces, prolog = ''): string {
  const declarations = Object.entries(namespaces).map(([prefix, uri]) => writeDeclaration(prefix, uri))
  const body = writeLoosely(root, declarations.join(''))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${prolog}<!-- published -->\n${body}\n`
}

function writeLoosely(node: XmlNode, declarations = ''): string {
  if (typeof node === 'string') return escapeText(node)
  const { name, attributes, children } = node
  const written = Object.entries(attributes).map(
    ([key, value]) => `\n ${key}='${escapeAttribute(value).replaceAll("'", '&#39;')}'`,
  )
  const start = `<${name}${declarations}${written.join('')}`
  if (children.length === 0) return `${start} />`
  const comment = children.some((child) => typeof child !== 'string') ? '<!-- note -->' : ''
  return `${start}>${comment}${children.map((child) => writeLoosely(child)).join('')}</${name} >`
}

/** The prefixes of the element and of its attributes, in the order of the canonical form. */
function usedPrefixes({ name, attributes }: XmlElement): string[] {
  const prefixes = [
    prefixOf(name),
    ...Object.keys(attributes)
      .map(prefixOf)
      .filter((prefix) => prefix !== ''),
  ]
  return [...new Set(prefixes)].filter((prefix) => prefix !== 'xml').toSorted(compareCodePoints)
}

/** By namespace name and then by local name; attributes without a prefix have no namespace and come first. */
function sortAttributes(attributes: XmlElement['attributes'], namespaces: XmlNamespaces): [string, string][] {
  const keyOf = (name: string) => {
    const prefix = prefixOf(name)
    const uri = prefix === 'xml' ? 'http://www.w3.org/XML/1998/namespace' : (namespaces[prefix] ?? '')
    return prefix === '' ? `\u0000${name}` : `${uri}\u0000${name.slice(prefix.length + 1)}`
  }
  return Object.entries(attributes).toSorted(([a], [b]) => compareCodePoints(keyOf(a), keyOf(b)))
}

function prefixOf(name: string): string {
  return name.includes(':') ? name.slice(0, name.indexOf(':')) : ''
}

function compareCodePoints(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function writeDeclaration(prefix: string, uri: string): string {
  return ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#xD;')
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;')
}
