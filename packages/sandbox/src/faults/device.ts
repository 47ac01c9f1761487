import { createHmac, randomBytes } from 'node:crypto'
import { encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import { flipBit } from './alteration-helpers.ts'
import { inBoth, inMdoc, type Fault } from './fault.ts'

/** COSE algorithm number (RFC 9053 §2.2). */
const eddsa = -8

/** Faults in the proof of possession of an mdoc (ISO/IEC 18013-5 §9.1.3, OpenID4VP 1.0 annex B.2.6). */
export const deviceFaults: readonly Fault[] = [
  {
    name: 'session_other_nonce',
    description: 'the proof of possession was made for another verification of this verifier',
    channels: ['redirect', 'dc_api', 'age_app'],
    expect: inBoth('key_binding_nonce', 'device_signature'),
    alterations: {
      verification: (original) => ({ ...original, nonce: 'nonce-of-another-session-0000000000000000000' }),
    },
  },
  {
    name: 'session_other_client',
    description: 'the proof of possession was made for another verifier',
    channels: ['redirect', 'age_app'],
    expect: inBoth('key_binding_audience', 'device_signature'),
    alterations: {
      verification: (original) => ({ ...original, client_id: 'x509_san_dns:elsewhere.example' }),
    },
  },
  {
    name: 'session_other_response_uri',
    description: 'the proof of possession was made for another response_uri',
    channels: ['redirect', 'age_app'],
    expect: inMdoc('device_signature'),
    alterations: {
      verification: (original) => ({ ...original, response_uri: 'https://elsewhere.example/response' }),
    },
  },
  {
    name: 'session_other_key',
    description: 'the proof of possession was made for a response encrypted to another key',
    channels: ['redirect', 'dc_api', 'age_app'],
    expect: inMdoc('device_signature'),
    alterations: { verification: (original) => ({ ...original, thumbprint: randomBytes(32) }) },
  },
  {
    name: 'session_no_key',
    description: 'the proof of possession was made for an unencrypted response',
    channels: ['redirect', 'dc_api'],
    expect: inMdoc('device_signature'),
    alterations: { verification: (original) => ({ ...original, thumbprint: null }) },
  },
  {
    name: 'device_signature',
    description: 'one bit of the device signature is flipped',
    expect: inMdoc('device_signature'),
    alterations: { device_auth: flipDeviceSignature },
  },
  {
    name: 'device_signature_missing',
    description: 'the device signature is missing',
    expect: inMdoc('device_signature'),
    alterations: { device_auth: () => new Map() },
  },
  {
    name: 'device_alg_other_curve',
    description: "the algorithm of the device signature does not match the key's curve",
    expect: inMdoc('device_signature'),
    alterations: { device_cose: (original) => ({ ...original, protected_header: new Map([[1, eddsa]]) }) },
  },
  {
    name: 'device_mac',
    description: 'the proof of possession is a message authentication code instead of a signature',
    expect: inMdoc('device_mac'),
    alterations: {
      device_auth: () =>
        textMap({
          deviceMac: [
            encodeCbor(new Map([[1, 5]])),
            new Map(),
            null,
            createHmac('sha256', 'a key that only device and reader know').digest(),
          ],
        }),
    },
  },
  {
    name: 'device_payload',
    description: 'the device signature has an attached payload, which need not be the expected one',
    expect: inMdoc('credential_encoding'),
    alterations: { device_cose: (original) => ({ ...original, payload: encodeCbor('anything') }) },
  },
  {
    name: 'device_element',
    description: 'the device signs an element that the issuer did not authorise it to sign',
    expect: inMdoc('device_signed_elements'),
    alterations: {
      device_namespaces: () => textMap({ 'vidimus.sandbox.device': textMap({ role: 'administrator' }) }),
    },
  },
]

function flipDeviceSignature(deviceAuth: Map<Cbor, Cbor>): Map<Cbor, Cbor> {
  const message = deviceAuth.get('deviceSignature')
  if (!Array.isArray(message)) return deviceAuth
  return textMap({
    deviceSignature: message.map((part: Cbor, index) =>
      index === 3 && part instanceof Uint8Array ? flipBit(part) : part,
    ),
  })
}
