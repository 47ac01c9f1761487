import { expectArray, expectBytes, expectEncodedCbor, expectMap, expectText } from '../cbor/expect.ts'
import { readCbor, type Cbor, type CborMap } from '../cbor/read.ts'
import { readSign1, type CoseSign1 } from '../cose/sign1.ts'
import { expectBase64url } from '../crypto/base64.ts'
import { InputError } from '../input-error.ts'
import type { Json } from '../json.ts'
import { expectVersion, readMso, type Mso } from './read-mso.ts'
import { toJson } from './to-json.ts'

/** The parsed document of a DeviceResponse (ISO/IEC 18013-5 §8.3.2.1.2.2). Nothing in it is verified. */
export type MdocDocument = {
  /** The docType of the document itself; the signed one is in the MSO. */
  doc_type: string
  elements: IssuerSignedElement[]
  issuer_auth: CoseSign1
  /** The payload of `issuer_auth`. */
  mso_bytes: Uint8Array
  mso: Mso
  /** Undefined if the device signed nothing. */
  device_signed?: DeviceSigned
}

type IssuerSignedElement = {
  name_space: string
  name: string
  value: Json
  digest_id: number
  /** The item with its tag, as received: the bytes that the digest covers. */
  span: Uint8Array
}

type DeviceSigned = {
  /** DeviceNameSpacesBytes as received. */
  span: Uint8Array
  elements: { name_space: string; name: string; value: Json }[]
  /** A MAC can be verified only by the party that agreed on its key with the device: a reader. */
  authentication: { signature: CoseSign1 } | { mac: CoseSign1 } | 'missing'
}

/** One megabyte, encoded: enough for a portrait, and within the 2 MiB of a wallet response (GEN-11). */
const limits = { characters: 1_400_000, elements: 500 } as const

/** Throws an InputError. */
export function readDeviceResponse(presentation: string): MdocDocument {
  if (presentation.length > limits.characters) throw new InputError('the DeviceResponse is too large')
  const response = expectMap(readCbor(expectBase64url(presentation)), 'the DeviceResponse')
  expectVersion(response.get('version'), 'the DeviceResponse')
  if (response.get('status') !== 0) throw new InputError('the status of the DeviceResponse is not 0')
  const [document, ...others] = expectArray(response.get('documents'), 'documents')
  if (others.length > 0) throw new InputError('the DeviceResponse contains more than one document')
  return readDocument(expectMap(document, 'the document'))
}

function readDocument(document: CborMap): MdocDocument {
  const issuerSigned = expectMap(document.get('issuerSigned'), 'issuerSigned')
  const issuer_auth = readSign1(issuerSigned.get('issuerAuth'), 'issuerAuth')
  const mso_bytes = expectBytes(issuer_auth.payload, 'the payload of issuerAuth')
  const deviceSigned = document.get('deviceSigned')
  return {
    doc_type: expectText(document.get('docType'), 'docType'),
    elements: readNameSpaces(issuerSigned.get('nameSpaces')),
    issuer_auth,
    mso_bytes,
    mso: readMso(mso_bytes),
    ...(deviceSigned !== undefined && {
      device_signed: readDeviceSigned(expectMap(deviceSigned, 'deviceSigned')),
    }),
  }
}

function readNameSpaces(value: Cbor): IssuerSignedElement[] {
  if (value === undefined) return []
  const elements: IssuerSignedElement[] = []
  for (const [key, items] of expectMap(value, 'nameSpaces')) {
    const name_space = expectText(key, 'a namespace')
    for (const item of expectArray(items, `the elements of ${name_space}`)) {
      elements.push(readElement(name_space, item))
      if (elements.length > limits.elements) throw new InputError('the document has too many elements')
    }
  }
  return elements
}

function readElement(name_space: string, value: Cbor): IssuerSignedElement {
  const { content, span } = expectEncodedCbor(value, `an element of ${name_space}`)
  const item = expectMap(readCbor(content), `an element of ${name_space}`)
  const digest_id = item.get('digestID')
  if (typeof digest_id !== 'number') throw new InputError(`an element of ${name_space} has no digestID`)
  // Without random bytes, the value of a withheld element could be guessed from its digest (§9.1.2.5).
  expectBytes(item.get('random'), `the random of an element of ${name_space}`)
  if (!item.has('elementValue')) throw new InputError(`an element of ${name_space} has no elementValue`)
  return {
    name_space,
    name: expectText(item.get('elementIdentifier'), 'an elementIdentifier'),
    value: toJson(item.get('elementValue')),
    digest_id,
    span,
  }
}

function readDeviceSigned(deviceSigned: CborMap): DeviceSigned {
  const { content, span } = expectEncodedCbor(
    deviceSigned.get('nameSpaces'),
    'the nameSpaces of deviceSigned',
  )
  const elements: DeviceSigned['elements'] = []
  for (const [key, members] of expectMap(readCbor(content), 'the nameSpaces of deviceSigned')) {
    const name_space = expectText(key, 'a namespace')
    for (const [name, value] of expectMap(members, `the device-signed elements of ${name_space}`)) {
      elements.push({ name_space, name: expectText(name, 'an elementIdentifier'), value: toJson(value) })
    }
  }
  return { span, elements, authentication: readDeviceAuth(deviceSigned.get('deviceAuth')) }
}

function readDeviceAuth(value: Cbor): DeviceSigned['authentication'] {
  const deviceAuth = expectMap(value ?? new Map(), 'deviceAuth')
  if (deviceAuth.has('deviceMac')) return { mac: readDetached(deviceAuth, 'deviceMac') }
  if (!deviceAuth.has('deviceSignature')) return 'missing'
  return { signature: readDetached(deviceAuth, 'deviceSignature') }
}

/** ISO/IEC 18013-5 §9.1.3.5, §9.1.3.6: the payload is detached. Both parties build it, so neither can substitute another. */
function readDetached(deviceAuth: CborMap, name: string): CoseSign1 {
  const message = readSign1(deviceAuth.get(name), name)
  if (message.payload !== undefined) throw new InputError(`the payload of ${name} is not detached`)
  return message
}
