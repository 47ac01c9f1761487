import { createHash } from 'node:crypto'
import { cborDate, cborMap, encodeCbor, wrapInTag24, type CborValue } from './cbor.ts'
import { fixedNow, year_seconds, type KeyPair } from './certificates.ts'
import { typeNames, type CredentialFixture } from './fixture.ts'
import { coseAlg, coseKey, signCose } from './sign.ts'

type Members = Record<string, CborValue>

export type MdocOptions = {
  doc_type?: string
  name_space?: string
  elements?: Members
  /** Changes the items that are sent, after signing. */
  change_items?: (items: CborValue[]) => CborValue[]
  mso?: Members
  validity?: Members
  device_key?: Map<number | string, CborValue>
  key_authorizations?: Members
  signer?: KeyPair
  chain?: CborValue
  issuer_header?: Map<number | string, CborValue>
  /** Members that replace those of the document and of the response. */
  document?: Members
  response?: Members
  device_elements?: Record<string, Members>
  device_auth?: Members
  without_device_signed?: boolean
  device?: KeyPair
  transcript?: Uint8Array
}

export const mdlNameSpace = 'org.iso.18013.5.1'

/** A valid DeviceResponse, except for what the options change. */
export function presentMdoc(fixture: CredentialFixture, options: MdocOptions = {}): string {
  const { doc_type = typeNames.mdl, name_space = mdlNameSpace } = options
  const { elements = { family_name: 'Mustermann', issuing_country: 'UT' } } = options
  const items = Object.entries(elements).map(([name, value], id) => issuerSignedItem(id, name, value))
  const { change_items = (same) => same } = options

  const deviceNameSpaces = cborMap(
    Object.fromEntries(
      Object.entries(options.device_elements ?? {}).map(([key, members]) => [key, cborMap(members)]),
    ),
  )
  const deviceSigned = cborMap({
    nameSpaces: wrapInTag24(deviceNameSpaces),
    deviceAuth: cborMap(
      options.device_auth ?? { deviceSignature: signDevice(fixture, options, deviceNameSpaces) },
    ),
  })
  const document = cborMap({
    docType: doc_type,
    issuerSigned: cborMap({
      nameSpaces: cborMap({ [name_space]: change_items(items) }),
      issuerAuth: signIssuerAuth(fixture, options, { doc_type, name_space, items }),
    }),
    ...(options.without_device_signed ? {} : { deviceSigned }),
    ...options.document,
  })
  const response = cborMap({ version: '1.0', documents: [document], status: 0, ...options.response })
  return encodeCbor(response).toString('base64url')
}

export function issuerSignedItem(
  digestID: number,
  elementIdentifier: string,
  elementValue: CborValue,
): CborValue {
  return wrapInTag24(
    cborMap({ digestID, random: Buffer.alloc(16, digestID), elementIdentifier, elementValue }),
  )
}

/** OpenID4VP 1.0 §B.2.6 and ISO/IEC TS 18013-7 Annex C, implemented independently of the verifier. A reader nearby knows its own. */
export function buildTranscript({ context }: CredentialFixture): Buffer {
  const { binding } = context.request
  if (binding.channel === 'proximity') return Buffer.from(binding.transcript)
  if (binding.channel === 'annex_c') return handover('dcapi', [binding.encryption_info, binding.origin])
  const { nonce, encryption_key_thumbprint: thumbprint } = binding
  const key = thumbprint === undefined ? null : Buffer.from(thumbprint, 'base64url')
  return binding.channel === 'dc_api'
    ? handover('OpenID4VPDCAPIHandover', [binding.origin, nonce, key])
    : handover('OpenID4VPHandover', [binding.client_id, nonce, key, binding.response_uri])
}

function handover(name: string, info: CborValue[]): Buffer {
  return encodeCbor([null, null, [name, sha256(encodeCbor(info))]])
}

type IssuerAuthInput = { doc_type: string; name_space: string; items: CborValue[] }

function signIssuerAuth(
  fixture: CredentialFixture,
  options: MdocOptions,
  { doc_type, name_space, items }: IssuerAuthInput,
): CborValue {
  const {
    signer = fixture.signer,
    chain = fixture.signer.der,
    device_key = coseKey(fixture.holder),
  } = options
  const mso = cborMap({
    version: '1.0',
    digestAlgorithm: 'SHA-256',
    valueDigests: cborMap({ [name_space]: new Map(items.map((item, id) => [id, sha256(encodeCbor(item))])) }),
    deviceKeyInfo: cborMap({
      deviceKey: device_key,
      ...(options.key_authorizations && { keyAuthorizations: cborMap(options.key_authorizations) }),
    }),
    docType: doc_type,
    validityInfo: cborMap({
      signed: cborDate(fixedNow - 1000),
      validFrom: cborDate(fixedNow - 1000),
      validUntil: cborDate(fixedNow + year_seconds),
      ...options.validity,
    }),
    ...options.mso,
  })
  return signCose({
    protected_header: options.issuer_header ?? new Map([[1, coseAlg(signer)]]),
    unprotected_header: new Map([[33, chain]]),
    payload: encodeCbor(wrapInTag24(mso)),
    key: signer,
  })
}

function signDevice(fixture: CredentialFixture, options: MdocOptions, nameSpaces: CborValue): CborValue {
  const { device = fixture.holder, transcript = buildTranscript(fixture), doc_type = typeNames.mdl } = options
  const authentication = ['DeviceAuthentication', { encoded: transcript }, doc_type, wrapInTag24(nameSpaces)]
  return signCose({
    protected_header: new Map([[1, coseAlg(device)]]),
    payload: encodeCbor(wrapInTag24(authentication)),
    detached: true,
    key: device,
  })
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
