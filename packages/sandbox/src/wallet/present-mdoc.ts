import { unaltered, type Alter, type PresentationDrafts } from '../alterations.ts'
import { embedCbor, encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import type { MdocCredential } from '../issuer/issue-mdoc.ts'
import { toCoseArray, signCose } from '../keys/sign-cose.ts'
import { base64url } from '../keys/sign-jws.ts'
import { coseAlgorithm } from '../keys/signing-key.ts'
import type { PresentOptions } from './present-sd-jwt.ts'
import { macForReader } from './proximity/session.ts'
import { sessionTranscript } from './verification-binding.ts'

/** Presents an mdoc as a DeviceResponse with one document (OpenID4VP 1.0 annex B.2.5). */
export function presentMdoc(credential: MdocCredential, options: PresentOptions): string {
  return encodeDeviceResponse([presentDocument(credential, options)], options.alter)
}

/** A DeviceResponse (ISO/IEC 18013-5 §8.3.2.1.2.2) in base64url. */
export function encodeDeviceResponse(
  documents: readonly Cbor[],
  alter: Alter<PresentationDrafts> = unaltered,
): string {
  const response = textMap({ version: '1.0', documents, status: 0 })
  return base64url(encodeCbor(alter('device_response', response)))
}

/** One document of a DeviceResponse: the disclosed items, and the device's signature for this verification. */
export function presentDocument(credential: MdocCredential, options: PresentOptions): Map<Cbor, Cbor> {
  const { holder_key, verification, alter = unaltered } = options
  const disclosed = alter('disclosed', options.disclosed)
  const items = alter('items', disclosedItems(credential, disclosed))

  const key = alter('proof_key', holder_key)
  const namespaces = embedCbor(encodeCbor(alter('device_namespaces', new Map())))
  const bound = alter('verification', verification)
  // DeviceAuthentication (ISO/IEC 18013-5 §9.1.3.4) is signed but not sent.
  const deviceAuthentication = encodeCbor(
    embedCbor(encodeCbor(['DeviceAuthentication', sessionTranscript(bound), credential.doctype, namespaces])),
  )
  const draft = alter('device_cose', {
    protected_header: new Map([[1, coseAlgorithm(key.algorithm)]]),
    unprotected_header: new Map(),
    payload: null,
  })
  const deviceAuth =
    bound.kind === 'proximity' && bound.authentication === 'mac'
      ? { deviceMac: macForReader(bound.session, { key, payload: deviceAuthentication }) }
      : { deviceSignature: toCoseArray(signCose(draft, key, deviceAuthentication)) }
  return textMap({
    docType: credential.doctype,
    issuerSigned: textMap({
      // nameSpaces must not be empty; it is omitted instead.
      nameSpaces: items.size === 0 ? undefined : toNameSpaces(items),
      issuerAuth: credential.issuer_auth,
    }),
    deviceSigned: textMap({
      nameSpaces: namespaces,
      deviceAuth: alter('device_auth', textMap(deviceAuth)),
    }),
  })
}

function disclosedItems(
  { items }: MdocCredential,
  disclosed: PresentOptions['disclosed'],
): Map<string, Uint8Array[]> {
  const byNamespace = new Map<string, Uint8Array[]>()
  for (const { namespace, element, encoded } of items) {
    if (!disclosed.some((path) => path[0] === namespace && path[1] === element)) continue
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), encoded])
  }
  return byNamespace
}

function toNameSpaces(items: ReadonlyMap<string, readonly Uint8Array[]>): Cbor {
  return new Map<Cbor, Cbor>(
    [...items].map(([namespace, encodedItems]) => [namespace, encodedItems.map((encoded) => ({ encoded }))]),
  )
}
