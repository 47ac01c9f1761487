import { createPublicKey } from 'node:crypto'
import type { Alter, ResponseContext, ResponseDrafts } from '../../alterations.ts'
import { encodeCbor, textMap } from '../../cbor/encode.ts'
import { sealHpke } from '../../keys/seal-hpke.ts'
import { base64url } from '../../keys/sign-jws.ts'
import type { AnnexCRequest, VerificationBinding } from '../authorization-request.ts'
import { presentAsDocument } from '../present-credential.ts'
import { encodeDeviceResponse } from '../present-mdoc.ts'
import type { Selection } from '../select-credentials.ts'
import { sessionTranscript } from '../verification-binding.ts'
import type { Wallet } from '../wallet.ts'

type DeviceResponseInput = {
  wallet: Wallet
  selections: readonly Selection[]
  verification: VerificationBinding
  context: ResponseContext
  request: AnnexCRequest
  alter: Alter<ResponseDrafts>
}

/** One DeviceResponse with all selected documents, encrypted to the verifier: `["dcapi", {enc, cipherText}]` in base64url. */
export function encryptDeviceResponse({ request, alter, selections, ...rest }: DeviceResponseInput): string {
  const presented = selections.flatMap((selection) => presentAsDocument({ ...rest, selection }) ?? [])
  // A step on the whole response is altered once, with the first document as its context.
  const alterFirst = presented[0]?.alter
  const encoded = encodeDeviceResponse(
    presented.map(({ document }) => document),
    alterFirst,
  )
  const deviceResponse = alterFirst?.('presentation', encoded) ?? encoded
  const { enc, ciphertext } = sealHpke(
    alter('hpke', {
      recipient: createPublicKey({ key: request.recipient_key, format: 'jwk' }),
      // ISO/IEC TS 18013-7 annex C: the session transcript, and no additional data.
      info: encodeCbor(sessionTranscript(rest.verification)),
      aad: new Uint8Array(0),
      plaintext: Buffer.from(deviceResponse, 'base64url'),
    }),
  )
  return base64url(
    encodeCbor(alter('encrypted_response', ['dcapi', textMap({ enc, cipherText: ciphertext })])),
  )
}
