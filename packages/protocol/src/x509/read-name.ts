import { readChildren, readOid, type DerElement } from './read-der.ts'

/** A distinguished name. Names are compared byte by byte: authorities copy them. */
export type DistinguishedName = { der: string } & { [Attribute in AttributeName]?: string }

type AttributeName =
  | 'common_name'
  | 'serial_number'
  | 'country'
  | 'state'
  | 'organization'
  | 'organization_identifier'

const attributes: Record<string, AttributeName> = {
  '2.5.4.3': 'common_name',
  '2.5.4.5': 'serial_number',
  '2.5.4.6': 'country',
  '2.5.4.8': 'state',
  '2.5.4.10': 'organization',
  '2.5.4.97': 'organization_identifier',
}

/** The string types that issuers use: UTF8String, PrintableString, IA5String. */
const textTags = new Set([0x0c, 0x13, 0x16])

export function readName(name: DerElement): DistinguishedName {
  const read: DistinguishedName = { der: name.span.toString('latin1') }
  for (const relative of readChildren(name)) {
    for (const pair of readChildren(relative)) {
      const [type, value] = readChildren(pair)
      const attribute = type && attributes[readOid(type)]
      if (attribute === undefined || value === undefined || !textTags.has(value.tag)) continue
      read[attribute] ??= value.content.toString('utf8')
    }
  }
  return read
}
