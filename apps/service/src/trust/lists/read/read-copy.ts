import {
  readTrustList,
  readVical,
  type TrustList,
  type TrustListRequest,
  type VicalRequest,
} from '@vidimus/protocol'

/** How a list is read, and what is taken from it and from the lists that it points to. */
export type ListReading =
  | ({ format: 'lote' | 'xml'; follow?: RequestedServices } & RequestedServices &
      Pick<TrustListRequest, 'territory'>)
  | ({ format: 'vical' } & Pick<VicalRequest, 'document_types' | 'max_age_seconds'>)

type RequestedServices = Pick<TrustListRequest, 'type' | 'services'>

/** A copy of a list as it was received, and everything that it is checked against. Times are in seconds since 1970. */
export type ListCopy = Omit<TrustListRequest, 'type' | 'services' | 'territory' | 'follow'> & {
  bytes: Uint8Array
  reading: ListReading
}

export type ReadCopy = { value: TrustList } | { error: string }

/** Verifies a list and reads its anchors. The library for XML is loaded with the first XML list. */
export async function readCopy({ bytes, reading, ...request }: ListCopy): Promise<ReadCopy> {
  switch (reading.format) {
    case 'lote':
      return readTrustList(Buffer.from(bytes).toString('latin1'), { ...request, ...reading })
    case 'vical':
      return readVical(bytes, { ...request, ...reading })
    case 'xml': {
      const { readXmlList } = await import('../xml/read-xml-list.ts')
      return readXmlList(bytes, { ...request, ...reading })
    }
  }
}
