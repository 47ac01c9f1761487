import { wrapInTag24, writeCbor } from '../cbor/write.ts'
import { buildSigStructure } from '../cose/sign1.ts'
import { readCoseKey } from '../crypto/read-public-key.ts'
import { fitsKey, verifySignature } from '../crypto/verify-signature.ts'
import { failure } from '../findings.ts'
import { catchInputError } from '../input-error.ts'
import type { Finding } from '../presentation.ts'
import type { ReaderKey } from '../proximity/read-session.ts'
import type { MdocDocument } from './read-device-response.ts'
import { isDeviceMac } from './verify-device-mac.ts'

/**
 * Checks that the device holds the key that the document is bound to, and authenticated for this session: with a signature or, to a
 * reader whose key is given, with a MAC (§9.1.3).
 */
export function verifyDeviceAuth(
  { mso, device_signed }: MdocDocument,
  sessionTranscript: Uint8Array,
  reader_key?: ReaderKey,
): Finding[] {
  const authentication = device_signed?.authentication ?? 'missing'
  if (authentication !== 'missing' && 'mac' in authentication && reader_key === undefined) {
    return [failure('device_mac', 'the device authenticated with a MAC, which cannot be verified here')]
  }
  if (authentication === 'missing' || device_signed === undefined) {
    return [failure('device_signature', 'the device signature is missing')]
  }
  const key = catchInputError(() => readCoseKey(mso.device_key))
  if ('error' in key) return [failure('holder_key', key.error)]

  const deviceAuthentication = wrapInTag24(
    writeCbor([
      'DeviceAuthentication',
      { encoded: sessionTranscript },
      mso.doc_type,
      { encoded: device_signed.span },
    ]),
  )
  if ('mac' in authentication) {
    const session = { transcript: sessionTranscript, payload: deviceAuthentication }
    const { mac } = authentication
    return reader_key !== undefined &&
      isDeviceMac({ ...session, mac, device_key: mso.device_key, curve: key.value.curve, reader_key })
      ? []
      : [failure('device_mac', 'it was made for another session or reader, or with another key')]
  }
  const { signature } = authentication
  const { algorithm } = signature
  if (algorithm === undefined || !fitsKey(algorithm, key.value)) {
    return [failure('device_signature', 'its algorithm is not accepted, or does not match the device key')]
  }
  const signed = buildSigStructure(signature, deviceAuthentication)
  if (verifySignature(algorithm, key.value, signed, signature.signature)) return []
  return [
    failure('device_signature', 'it was made for another verification or verifier, or with another key'),
  ]
}
