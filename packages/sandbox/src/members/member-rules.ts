import { dateTime, textMap, type Cbor } from '../cbor/encode.ts'
import type { CheckName } from '../faults/fault.ts'
import type { Label } from './edit.ts'
import type { StructureName } from './structures.ts'

/**
 * How a verifier must treat a member. `mandatory`: a response without it fails the check or is rejected. `optional`: a response with
 * this example value is accepted. `omissible`: the sandbox writes it, and a response without it is accepted.
 */
type MemberRule =
  | { readonly mandatory: CheckName | 'rejected' }
  | { readonly optional: unknown }
  | { readonly omissible: true }

export type StructureMember = {
  readonly structure: StructureName
  readonly member: Label
  /** The clause of the specification. */
  readonly clause: string
} & MemberRule

const sampleBytes = Buffer.alloc(16, 7)
const omissible: MemberRule = { omissible: true }
const future = dateTime(new Date('2099-01-01T00:00:00Z'))

/** The members of everything that a wallet, an issuer or a status list host sends. */
export const memberRules: readonly StructureMember[] = [
  ...rulesFor('issuer_jwt_header', {
    alg: ['RFC 7515 §4.1.1', mandatory('issuer_algorithm')],
    typ: ['SD-JWT VC §2.2.1', mandatory('credential_encoding')],
    x5c: ['HAIP 1.0 §6.1.1', mandatory('issuer_certificate')],
    kid: ['RFC 7515 §4.1.4', optional('one')],
    x5t: ['RFC 7515 §4.1.7', optional('AAAAAAAAAAAAAAAAAAAAAAAAAAA')],
    'x5t#S256': ['RFC 7515 §4.1.8', optional(sampleBytes.toString('base64url'))],
    x5u: ['RFC 7515 §4.1.5', optional('https://issuer.invalid/chain.pem')],
    jku: ['RFC 7515 §4.1.2', optional('https://issuer.invalid/keys.json')],
    cty: ['RFC 7515 §4.1.10', optional('json')],
    vctm: ['SD-JWT VC §6.3.5', optional(['e30'])],
    'org.example.unknown': ['RFC 7515 §4', optional({ any: [1, null] })],
  }),
  ...rulesFor('issuer_jwt_payload', {
    vct: ['SD-JWT VC §2.2.2.1', mandatory('credential_encoding')],
    cnf: ['HAIP 1.0 §6.1', mandatory('holder_key')],
    iss: ['SD-JWT VC §2.2.2.2', optional('https://issuer.invalid')],
    sub: ['SD-JWT VC §2.2.2.2', optional('subject')],
    jti: ['RFC 7519 §4.1.7', optional('one')],
    aud: ['RFC 7519 §4.1.3', optional(['https://verifier.invalid'])],
    iat: ['SD-JWT VC §2.2.2.2', omissible],
    nbf: ['SD-JWT VC §2.2.2.2', omissible],
    exp: ['SD-JWT VC §2.2.2.2', omissible],
    status: ['SD-JWT VC §2.2.2.2', omissible],
    _sd_alg: ['RFC 9901 §4.1.1', omissible],
    'vct#integrity': ['SD-JWT VC §7', optional('sha256-AAAA')],
    aka_vcts: ['SD-JWT VC §2.2.2.1', optional(['urn:example:national:1'])],
    'https://example.com/claim': ['RFC 7519 §4', optional({ any: [1, null] })],
  }),
  ...rulesFor('cnf', {
    jwk: ['RFC 7800 §3.2', mandatory('holder_key')],
    kid: ['RFC 7800 §3.4', optional('one')],
    'org.example.unknown': ['RFC 7800 §3.1', optional(true)],
  }),
  ...rulesFor('cnf_jwk', {
    kty: ['RFC 7517 §4.1', mandatory('holder_key')],
    crv: ['RFC 7518 §6.2.1.1', mandatory('holder_key')],
    x: ['RFC 7518 §6.2.1.2', mandatory('holder_key')],
    y: ['RFC 7518 §6.2.1.3', mandatory('holder_key')],
    kid: ['RFC 7517 §4.5', optional('one')],
    use: ['RFC 7517 §4.2', optional('sig')],
    key_ops: ['RFC 7517 §4.3', optional(['verify'])],
    alg: ['RFC 7517 §4.4', optional('ES256')],
    x5u: ['RFC 7517 §4.6', optional('https://wallet.invalid/chain.pem')],
    x5c: ['RFC 7517 §4.7', optional(['MAAA'])],
    x5t: ['RFC 7517 §4.8', optional('AAAAAAAAAAAAAAAAAAAAAAAAAAA')],
    'x5t#S256': ['RFC 7517 §4.9', optional(sampleBytes.toString('base64url'))],
    ext: ['RFC 7517 §4', optional(true)],
  }),
  ...rulesFor('status', {
    identifier_list: ['Token Status List §6.1', optional({ uri: 'https://issuer.invalid/list', id: 'AA' })],
  }),
  ...rulesFor('status_list_reference', {
    idx: ['Token Status List §6.2', mandatory('status_list')],
    uri: ['Token Status List §6.2', mandatory('status_list')],
    'org.example.unknown': ['Token Status List §6.2', optional('any')],
  }),
  ...rulesFor('kb_jwt_header', {
    alg: ['RFC 9901 §4.3', mandatory('key_binding')],
    typ: ['RFC 9901 §4.3', mandatory('key_binding')],
    kid: ['RFC 7515 §4.1.4', optional('one')],
    cty: ['RFC 7515 §4.1.10', optional('json')],
    jwk: ['RFC 7515 §4.1.3', optional({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' })],
  }),
  ...rulesFor('kb_jwt_payload', {
    iat: ['RFC 9901 §4.3', mandatory('key_binding_time')],
    aud: ['RFC 9901 §4.3', mandatory('key_binding_audience')],
    nonce: ['RFC 9901 §4.3', mandatory('key_binding_nonce')],
    sd_hash: ['RFC 9901 §4.3', mandatory('key_binding_hash')],
    exp: ['RFC 7519 §4.1.4', optional(4_070_908_800)],
    nbf: ['RFC 7519 §4.1.5', optional(1_500_000_000)],
    jti: ['RFC 7519 §4.1.7', optional('one')],
    iss: ['RFC 7519 §4.1.1', optional('https://wallet.invalid')],
    sub: ['RFC 7519 §4.1.2', optional('holder')],
    'org.example.unknown': ['RFC 7519 §4', optional([{}])],
  }),

  ...rulesFor('mso', {
    version: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    digestAlgorithm: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    valueDigests: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    deviceKeyInfo: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    docType: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    validityInfo: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    status: ['Token Status List §6.3', omissible],
    'org.example.unknown': ['ISO/IEC 18013-5 §9.1.2.4', optional('any')],
  }),
  ...rulesFor('mso_validity_info', {
    signed: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    validFrom: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    validUntil: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    expectedUpdate: ['ISO/IEC 18013-5 §9.1.2.4', optional(future)],
  }),
  ...rulesFor('mso_device_key_info', {
    deviceKey: ['ISO/IEC 18013-5 §9.1.2.4', mandatory('credential_encoding')],
    keyAuthorizations: [
      'ISO/IEC 18013-5 §9.1.2.4',
      optional(textMap({ nameSpaces: ['org.example'], dataElements: textMap({ 'org.example.2': ['a'] }) })),
    ],
    keyInfo: ['ISO/IEC 18013-5 §9.1.2.4', optional(new Map<Cbor, Cbor>([[1, 'any']]))],
  }),
  ...rulesForLabels('mso_device_key', [
    [1, 'RFC 9052 §7.1', mandatory('holder_key')],
    [-1, 'RFC 9053 §7.1.1', mandatory('holder_key')],
    [-2, 'RFC 9053 §7.1.1', mandatory('holder_key')],
    [-3, 'RFC 9053 §7.1.1', mandatory('holder_key')],
    [2, 'RFC 9052 §7.1', optional(sampleBytes)],
    [3, 'RFC 9052 §7.1', optional(-7)],
    [4, 'RFC 9052 §7.1', optional([2])],
    [5, 'RFC 9052 §7.1', optional(sampleBytes)],
  ]),
  ...rulesFor('mso_status', {
    identifier_list: [
      'Token Status List §6.1',
      optional(textMap({ uri: 'https://issuer.invalid/list', id: sampleBytes })),
    ],
  }),
  ...rulesFor('mso_status_list_reference', {
    idx: ['Token Status List §6.3', mandatory('status_list')],
    uri: ['Token Status List §6.3', mandatory('status_list')],
    certificate: ['ISO/IEC 18013-5:2025 §12.3.6', optional(sampleBytes)],
  }),
  ...rulesFor('issuer_signed_item', {
    digestID: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    random: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    elementIdentifier: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    elementValue: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
  }),
  ...rulesForLabels('issuer_auth_protected', [
    [1, 'RFC 9052 §3.1', mandatory('issuer_algorithm')],
    [3, 'RFC 9052 §3.1', optional('application/cbor')],
    [4, 'RFC 9052 §3.1', optional(sampleBytes)],
    [16, 'RFC 9596 §2', optional('application/mso')],
  ]),
  ...rulesForLabels('issuer_auth_unprotected', [
    [33, 'ISO/IEC 18013-5 §9.1.2.4', mandatory('issuer_certificate')],
    [4, 'RFC 9052 §3.1', optional(sampleBytes)],
    [34, 'RFC 9360 §2', optional([-16, sampleBytes])],
    [35, 'RFC 9360 §2', optional({ tag: 32, value: 'https://issuer.invalid/chain' })],
  ]),
  ...rulesForLabels('device_signature_protected', [
    [1, 'ISO/IEC 18013-5 §9.1.3.6', mandatory('device_signature')],
    [4, 'RFC 9052 §3.1', optional(sampleBytes)],
  ]),
  ...rulesForLabels('device_signature_unprotected', [[4, 'RFC 9052 §3.1', optional(sampleBytes)]]),
  ...rulesFor('device_response', {
    version: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    documents: ['OpenID4VP 1.0 annex B.2.5', mandatory('credential_encoding')],
    status: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    documentErrors: ['ISO/IEC 18013-5 §8.3.2.1.2.2', optional([textMap({ 'org.example.doc': 0 })])],
  }),
  ...rulesFor('document', {
    docType: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    issuerSigned: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    deviceSigned: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('device_signature')],
    errors: ['ISO/IEC 18013-5 §8.3.2.1.2.2', optional(textMap({ 'org.example': textMap({ missing: 0 }) }))],
  }),
  ...rulesFor('issuer_signed', {
    issuerAuth: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    nameSpaces: ['OpenID4VP 1.0 §6.4.1', mandatory('requested_claims')],
  }),
  ...rulesFor('device_signed', {
    nameSpaces: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('credential_encoding')],
    deviceAuth: ['ISO/IEC 18013-5 §8.3.2.1.2.2', mandatory('device_signature')],
  }),

  ...rulesFor('status_list_jwt_header', {
    typ: ['Token Status List §5.1', mandatory('status_list')],
    alg: ['RFC 7515 §4.1.1', mandatory('status_list')],
    x5c: ['Token Status List §11.3', mandatory('status_list')],
    kid: ['RFC 7515 §4.1.4', optional('one')],
  }),
  ...rulesFor('status_list_jwt_claims', {
    sub: ['Token Status List §5.1', mandatory('status_list')],
    iat: ['Token Status List §5.1', mandatory('status_list')],
    status_list: ['Token Status List §5.1', mandatory('status_list')],
    exp: ['Token Status List §5.1', omissible],
    ttl: ['Token Status List §5.1', omissible],
    iss: ['RFC 7519 §4.1.1', optional('https://issuer.invalid')],
    jti: ['RFC 7519 §4.1.7', optional('one')],
  }),
  ...rulesFor('status_list_jwt_list', {
    bits: ['Token Status List §4.2', mandatory('status_list')],
    lst: ['Token Status List §4.2', mandatory('status_list')],
    aggregation_uri: ['Token Status List §4.2', optional('https://issuer.invalid/all')],
  }),
  ...rulesForLabels('status_list_cwt_header', [
    [16, 'Token Status List §5.2', mandatory('status_list')],
    [1, 'RFC 9052 §3.1', mandatory('status_list')],
    [4, 'RFC 9052 §3.1', optional(sampleBytes)],
  ]),
  ...rulesForLabels('status_list_cwt_claims', [
    [2, 'Token Status List §5.2', mandatory('status_list')],
    [6, 'Token Status List §5.2', mandatory('status_list')],
    [65533, 'Token Status List §5.2', mandatory('status_list')],
    [4, 'Token Status List §5.2', omissible],
    [65534, 'Token Status List §5.2', omissible],
    [1, 'RFC 8392 §3.1.1', optional('https://issuer.invalid')],
    [7, 'RFC 8392 §3.1.7', optional(sampleBytes)],
  ]),
  ...rulesFor('status_list_cwt_list', {
    bits: ['Token Status List §4.3', mandatory('status_list')],
    lst: ['Token Status List §4.3', mandatory('status_list')],
    aggregation_uri: ['Token Status List §4.3', optional('https://issuer.invalid/all')],
  }),

  ...rulesFor('response_jwe_header', {
    alg: ['RFC 7516 §4.1.1', mandatory('rejected')],
    enc: ['RFC 7516 §4.1.2', mandatory('rejected')],
    epk: ['RFC 7518 §4.6.1.1', mandatory('rejected')],
    kid: ['OpenID4VP 1.0 §8.3', mandatory('rejected')],
    apu: ['RFC 7518 §4.6.1.2', optional(sampleBytes)],
    apv: ['RFC 7518 §4.6.1.3', optional(sampleBytes)],
    typ: ['RFC 7516 §4.1.11', optional('JWT')],
    cty: ['RFC 7516 §4.1.12', optional('json')],
    'org.example.unknown': ['RFC 7516 §4', optional('any')],
  }),
  ...rulesFor('response_parameters', {
    vp_token: ['OpenID4VP 1.0 §8.1', mandatory('vp_token')],
    state: ['OpenID4VP 1.0 §8.2', omissible],
    iss: ['OpenID4VP 1.0 §8.3', optional('https://wallet.invalid')],
    aud: ['OpenID4VP 1.0 §8.3', optional('https://verifier.invalid')],
    exp: ['OpenID4VP 1.0 §8.3', optional(4_070_908_800)],
    'org.example.unknown': ['OpenID4VP 1.0 §8.1', optional({ any: [] })],
  }),
  ...rulesFor('response_form', {
    response: ['OpenID4VP 1.0 §8.3.1', mandatory('rejected')],
    'org.example.unknown': ['OpenID4VP 1.0 §8.2', optional('any')],
  }),
]

function mandatory(check: CheckName | 'rejected'): MemberRule {
  return { mandatory: check }
}

function optional(example: unknown): MemberRule {
  return { optional: example }
}

type MemberRows = Readonly<Record<string, readonly [clause: string, rule: MemberRule]>>

function rulesFor(structure: StructureName, rows: MemberRows): StructureMember[] {
  return Object.entries(rows).map(([member, [clause, rule]]) => ({ structure, member, clause, ...rule }))
}

function rulesForLabels(
  structure: StructureName,
  rows: readonly (readonly [label: number, clause: string, rule: MemberRule])[],
): StructureMember[] {
  return rows.map(([member, clause, rule]) => ({ structure, member, clause, ...rule }))
}
