import { expectArray, expectBytes, expectMap } from '../cbor/expect.ts'
import { readCbor } from '../cbor/read.ts'
import { expectBase64url } from '../crypto/base64.ts'
import { openHpke } from '../crypto/hpke.ts'
import { catchInputError, InputError } from '../input-error.ts'
import { buildSessionTranscript } from '../mdoc/session-transcript.ts'
import type { AnnexCVerification, ProximityVerification } from '../response/expected-response.ts'
import type { WalletResponse } from '../response/wallet-response.ts'
import { assignDocuments } from './assign-documents.ts'
import { describeStatus } from './describe-status.ts'
import { readDocuments } from './read-documents.ts'

/** Opens a response of ISO/IEC TS 18013-7 Annex C. Its documents become the `vp_token` of the query. */
export function openAnnexCResponse(response: string, verification: AnnexCVerification): WalletResponse {
  return assignResponse(() => decrypt(response, verification), verification)
}

/** The same for a DeviceResponse in base64url, which a reader received over its own session with the wallet. */
export function openDeviceResponse(response: string, verification: ProximityVerification): WalletResponse {
  return assignResponse(() => expectBase64url(response), verification)
}

function assignResponse(
  readBytes: () => Uint8Array,
  { dcql_query }: Pick<ProximityVerification, 'dcql_query'>,
): WalletResponse {
  const opened = catchInputError(() => readDocuments(readBytes()))
  if ('error' in opened) return { kind: 'malformed', reason: opened.error }
  return 'status' in opened.value
    ? { kind: 'error', error: describeStatus(opened.value.status), bound_to_verification: true }
    : { kind: 'presentation', vp_token: assignDocuments(opened.value.documents, dcql_query) }
}

function decrypt(response: string, { origin, encryption_info, encryption_key }: AnnexCVerification): Buffer {
  const { enc, cipherText } = readEncryptedResponse(response)
  const info = buildSessionTranscript({ channel: 'annex_c', origin, encryption_info })
  return openHpke({ enc, ciphertext: cipherText, info }, encryption_key)
}

/** EncryptedResponse = ["dcapi", {"enc": bstr, "cipherText": bstr}]. Throws an InputError. */
export function readEncryptedResponse(response: string): { enc: Uint8Array; cipherText: Uint8Array } {
  const parts = expectArray(readCbor(expectBase64url(response)), 'the response')
  const [name, data] = parts
  if (parts.length !== 2 || name !== 'dcapi') throw new InputError('the response is not an EncryptedResponse')
  const members = expectMap(data, 'the data of the response')
  return {
    enc: expectBytes(members.get('enc'), 'enc'),
    cipherText: expectBytes(members.get('cipherText'), 'cipherText'),
  }
}
