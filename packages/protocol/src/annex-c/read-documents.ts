import { expectArray, expectMap, expectText } from '../cbor/expect.ts'
import { findCborMember, readCbor, splitCborArray } from '../cbor/read.ts'
import { writeCbor, type CborParts } from '../cbor/write.ts'
import { InputError } from '../input-error.ts'
import { expectVersion } from '../mdoc/read-mso.ts'

/** A document, in a DeviceResponse of its own, as OpenID4VP has it: base64url. */
export type ReturnedDocument = { doc_type: string; device_response: string }

/** At least one document, or the status of a DeviceResponse that has none. */
export type ReturnedDocuments = { documents: ReturnedDocument[] } | { status: number }

/** The largest query can still get one document for each credential. */
const maxDocuments = 20

/**
 * Splits a DeviceResponse into its documents, whose bytes stay as received. Nothing in them is verified. `documentErrors` are
 * ignored: the outcome does not depend on why a document is missing. Throws an InputError.
 */
export function readDocuments(bytes: Uint8Array): ReturnedDocuments {
  const response = expectMap(readCbor(bytes), 'the DeviceResponse')
  expectVersion(response.get('version'), 'the DeviceResponse')
  const status = response.get('status')
  if (typeof status !== 'number') throw new InputError('the status of the DeviceResponse is not a number')
  const documents = expectArray(response.get('documents') ?? [], 'documents')
  if (status !== 0 || documents.length === 0) return { status }
  if (documents.length > maxDocuments) throw new InputError('the DeviceResponse has too many documents')

  const received = splitCborArray(findCborMember(bytes, 'documents') ?? new Uint8Array())
  return {
    documents: received.map((encoded, index) => ({
      doc_type: expectText(expectMap(documents[index], 'a document').get('docType'), 'docType'),
      device_response: writeDeviceResponse(encoded),
    })),
  }
}

function writeDeviceResponse(encoded: Uint8Array): string {
  const response = new Map<string, CborParts>([
    ['version', '1.0'],
    ['documents', [{ encoded }]],
    ['status', 0],
  ])
  return writeCbor(response).toString('base64url')
}
