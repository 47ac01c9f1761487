import { createHash } from 'node:crypto'
import { NOW, YEAR, type KeyPair } from './certificates.ts'
import { coseAlg, coseKey, signCose } from './sign.ts'
import { NAMES, type World } from './world.ts'
import { date, encode, map, wrapped, type Value } from './write-cbor.ts'

type Members = Record<string, Value>

export type MdocOptions = {
  doc_type?: string
  name_space?: string
  elements?: Members
  /** The items that are sent, in place of those that were signed. */
  change_items?: (items: Value[]) => Value[]
  mso?: Members
  validity?: Members
  device_key?: Map<number | string, Value>
  key_authorizations?: Members
  signer?: KeyPair
  chain?: Value
  issuer_header?: Map<number | string, Value>
  /** Members of the document and of the response, over the right ones. */
  document?: Members
  response?: Members
  device_elements?: Record<string, Members>
  device_auth?: Members
  without_device_signed?: boolean
  device?: KeyPair
  transcript?: Uint8Array
}

export const MDL_NAME_SPACE = 'org.iso.18013.5.1'

/** A DeviceResponse as a right wallet sends it, but for what the options change. */
export function presentMdoc(world: World, options: MdocOptions = {}): string {
  const { doc_type = NAMES.mdl, name_space = MDL_NAME_SPACE } = options
  const { elements = { family_name: 'Mustermann', issuing_country: 'UT' } } = options
  const items = Object.entries(elements).map(([name, value], id) => issuerSignedItem(id, name, value))
  const { change_items = (same) => same } = options

  const deviceNameSpaces = map(
    Object.fromEntries(
      Object.entries(options.device_elements ?? {}).map(([key, members]) => [key, map(members)]),
    ),
  )
  const deviceSigned = map({
    nameSpaces: wrapped(deviceNameSpaces),
    deviceAuth: map(options.device_auth ?? { deviceSignature: signDevice(world, options, deviceNameSpaces) }),
  })
  const document = map({
    docType: doc_type,
    issuerSigned: map({
      nameSpaces: map({ [name_space]: change_items(items) }),
      issuerAuth: signIssuerAuth(world, options, { doc_type, name_space, items }),
    }),
    ...(options.without_device_signed ? {} : { deviceSigned }),
    ...options.document,
  })
  const response = map({ version: '1.0', documents: [document], status: 0, ...options.response })
  return encode(response).toString('base64url')
}

export function issuerSignedItem(digestID: number, elementIdentifier: string, elementValue: Value): Value {
  return wrapped(map({ digestID, random: Buffer.alloc(16, digestID), elementIdentifier, elementValue }))
}

/** OpenID4VP 1.0 §B.2.6.1, written out anew. */
export function transcriptOf({ context }: World): Buffer {
  const { client_id, nonce, encryption_key_thumbprint, response_uri } = context.request
  const info = encode([client_id, nonce, Buffer.from(encryption_key_thumbprint, 'base64url'), response_uri])
  return encode([null, null, ['OpenID4VPHandover', sha256(info)]])
}

type Signing = { doc_type: string; name_space: string; items: Value[] }

function signIssuerAuth(world: World, options: MdocOptions, { doc_type, name_space, items }: Signing): Value {
  const { signer = world.signer, chain = world.signer.der, device_key = coseKey(world.holder) } = options
  const mso = map({
    version: '1.0',
    digestAlgorithm: 'SHA-256',
    valueDigests: map({ [name_space]: new Map(items.map((item, id) => [id, sha256(encode(item))])) }),
    deviceKeyInfo: map({
      deviceKey: device_key,
      ...(options.key_authorizations && { keyAuthorizations: map(options.key_authorizations) }),
    }),
    docType: doc_type,
    validityInfo: map({
      signed: date(NOW - 1000),
      validFrom: date(NOW - 1000),
      validUntil: date(NOW + YEAR),
      ...options.validity,
    }),
    ...options.mso,
  })
  return signCose({
    protected_header: options.issuer_header ?? new Map([[1, coseAlg(signer)]]),
    unprotected_header: new Map([[33, chain]]),
    payload: encode(wrapped(mso)),
    key: signer,
  })
}

function signDevice(world: World, options: MdocOptions, nameSpaces: Value): Value {
  const { device = world.holder, transcript = transcriptOf(world), doc_type = NAMES.mdl } = options
  const authentication = ['DeviceAuthentication', { encoded: transcript }, doc_type, wrapped(nameSpaces)]
  return signCose({
    protected_header: new Map([[1, coseAlg(device)]]),
    payload: encode(wrapped(authentication)),
    detached: true,
    key: device,
  })
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
