import { CompactEncrypt, importJWK, type CompactJWEHeaderParameters } from 'jose'
import type { JsonObject } from '../keys/sign-jws.ts'
import type { AuthorizationRequest, EncryptionJwk } from './authorization-request.ts'

export type ResponseEncryption = {
  readonly jwk: EncryptionJwk
  readonly header: CompactJWEHeaderParameters
  /** Additional inputs of the key agreement (RFC 7518 §4.6.1.2). Many wallets put nonces there. */
  readonly agreement?: { readonly apu?: Uint8Array; readonly apv?: Uint8Array }
}

/** The verifier's key and the first content encryption algorithm that both sides support (OpenID4VP 1.0 §8.3). */
export function chooseEncryption({
  encryption: { jwk, enc_values },
}: Pick<AuthorizationRequest, 'encryption'>): ResponseEncryption {
  return { jwk, header: { alg: jwk.alg, enc: enc_values[0] ?? 'A128GCM', kid: jwk.kid } }
}

export async function encryptResponse(
  parameters: JsonObject,
  { jwk, header, agreement }: ResponseEncryption,
): Promise<string> {
  const { kty, crv, x, y } = jwk
  const key = await importJWK({ kty, crv, x, ...(y === undefined ? {} : { y }) }, 'ECDH-ES')
  const jwe = new CompactEncrypt(Buffer.from(JSON.stringify(parameters))).setProtectedHeader(header)
  if (agreement !== undefined) jwe.setKeyManagementParameters(agreement)
  return jwe.encrypt(key)
}
