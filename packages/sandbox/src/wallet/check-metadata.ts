import { violationUnless, isNonEmptyArray, isObject, formatValue, type Violation } from './violation.ts'
import type { AuthorizationRequest, EncryptionJwk } from './authorization-request.ts'

const expectedMembers = ['encrypted_response_enc_values_supported', 'jwks', 'vp_formats_supported']
/** For Google Wallet. Every other must ignore it. */
const allowedMember = 'gw_rp_metadata_bytes'
const supportedEncryptions = ['A256GCM', 'A128GCM']

/** Checks `client_metadata` (OpenID4VP 1.0 §5.1, §8.3; HAIP 1.0 §5): response encryption and supported formats. */
export function checkMetadata(
  metadata: unknown,
  formats: readonly string[],
): { encryption?: AuthorizationRequest['encryption']; violations: Violation[] } {
  if (!isObject(metadata)) {
    const message = `${formatValue(metadata)} is not an object`
    return { violations: violationUnless(false, 'client_metadata.form', 'OpenID4VP 1.0 §5.1', message) }
  }
  const keys = isObject(metadata['jwks']) ? metadata['jwks']['keys'] : undefined
  const usableKeys = isNonEmptyArray(keys) ? keys.filter(isEncryptionKey) : []
  const offeredEncryptions = metadata['encrypted_response_enc_values_supported']
  const encValues = supportedEncryptions.filter(
    (enc) => isNonEmptyArray(offeredEncryptions) && offeredEncryptions.includes(enc),
  )
  const violations = [
    ...violationUnless(
      Object.keys(metadata)
        .filter((name) => name !== allowedMember)
        .toSorted()
        .join() === expectedMembers.join(),
      'client_metadata.members',
      'OpenID4VP 1.0 §5.1',
      `${formatValue(Object.keys(metadata))} must be exactly ${expectedMembers.join(', ')}`,
    ),
    ...violationUnless(
      usableKeys.length === 1 && isNonEmptyArray(keys) && keys.length === 1,
      'client_metadata.jwks',
      'OpenID4VP 1.0 §8.3',
      'jwks must have exactly one public P-256 key with kid, use enc and alg ECDH-ES',
    ),
    ...violationUnless(
      encValues.length > 0,
      'client_metadata.enc',
      'HAIP 1.0 §5',
      `${formatValue(offeredEncryptions)} includes neither A128GCM nor A256GCM`,
    ),
    ...checkFormats(metadata['vp_formats_supported'], formats),
  ]
  const jwk = usableKeys[0]
  return jwk === undefined ? { violations } : { encryption: { jwk, enc_values: encValues }, violations }
}

function isEncryptionKey(key: unknown): key is EncryptionJwk {
  if (!isObject(key)) return false
  const { kty, crv, x, y, kid, use, alg } = key
  const isPublic = !('d' in key)
  return (
    isPublic &&
    [x, y, kid].every((member) => typeof member === 'string' && member !== '') &&
    kty === 'EC' &&
    crv === 'P-256' &&
    use === 'enc' &&
    alg === 'ECDH-ES'
  )
}

const algorithmMembers: Readonly<Record<string, readonly string[]>> = {
  'dc+sd-jwt': ['sd-jwt_alg_values', 'kb-jwt_alg_values'],
  mso_mdoc: ['issuerauth_alg_values', 'deviceauth_alg_values'],
}

/** Annexes B.2.2 and B.3.4: JOSE algorithms are names, COSE algorithms are numbers. */
export function checkFormats(supported: unknown, formats: readonly string[]): Violation[] {
  if (!isObject(supported)) {
    return violationUnless(
      false,
      'client_metadata.vp_formats',
      'OpenID4VP 1.0 §11.1',
      `${formatValue(supported)} is not an object`,
    )
  }
  const missing = formats.filter((format) => !isObject(supported[format]))
  const malformed = Object.entries(supported).filter(
    ([format, algorithms]) => !hasAlgorithms(format, algorithms),
  )
  return [
    ...violationUnless(
      missing.length === 0,
      'client_metadata.vp_formats',
      'OpenID4VP 1.0 §11.1',
      `${missing.join(', ')} is requested but missing in vp_formats_supported`,
    ),
    ...violationUnless(
      malformed.length === 0,
      'client_metadata.algorithms',
      'OpenID4VP 1.0 annex B',
      `${formatValue(malformed)} does not list its algorithms`,
    ),
  ]
}

function hasAlgorithms(format: string, algorithms: unknown): boolean {
  const type = format === 'mso_mdoc' ? 'number' : 'string'
  return (algorithmMembers[format] ?? []).every((member) => {
    const values = isObject(algorithms) ? algorithms[member] : undefined
    return isNonEmptyArray(values) && values.every((value) => typeof value === type)
  })
}
