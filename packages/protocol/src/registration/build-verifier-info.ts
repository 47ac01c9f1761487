import { decodeBase64url } from '../crypto/base64.ts'
import type { JsonObject } from '../json.ts'
import type { VerifierAttestation } from '../request/build.ts'
import type { RegistrationEncoding } from './registration.ts'

const certificateFormat = 'registration_cert'
const datasetFormat = 'registrar_dataset'

/**
 * The `verifier_info` of requests under one registration (OpenID4VP 1.0 §5.11, ETSI TS 119 472-2 §6.3.2): exactly one
 * certificate, because the EUDI reference wallet refuses several, and the registrar's data set if there is one. Never
 * `credential_ids`: the certificate names what it covers.
 */
export function buildVerifierInfo(
  { token }: { token: string },
  dataset: JsonObject | undefined,
  encoding: RegistrationEncoding,
): VerifierAttestation[] {
  const data = encoding === 'jwt' ? token : Buffer.from(token, 'latin1').toString('base64url')
  return [
    { format: certificateFormat, data },
    ...(dataset === undefined ? [] : [{ format: datasetFormat, data: dataset }]),
  ]
}

/** The compact JWT of the registration certificate in a `verifier_info`, in either encoding. Undefined if there is none. */
export function findRegistrationToken(verifierInfo: readonly VerifierAttestation[] = []): string | undefined {
  const data = verifierInfo.find(({ format }) => format === certificateFormat)?.data
  if (typeof data !== 'string') return undefined
  const token = data.includes('.') ? data : decodeBase64url(data)?.toString('latin1')
  return token?.split('.').length === 3 ? token : undefined
}
