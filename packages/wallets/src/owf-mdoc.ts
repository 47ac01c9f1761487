import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto'
import {
  CoseKey,
  DateOnly,
  DeviceKey,
  DeviceRequest,
  DocRequest,
  Holder,
  Issuer as MdocIssuer,
  ItemsRequest,
  SessionTranscript,
  SignatureAlgorithm,
  type IssuerSigned,
  type MdocContext,
} from '@owf/mdoc'
import type { Issuer, SigningKey } from '@vidimus/sandbox'
import { mdl } from './credential.ts'

const day_ms = 86_400_000

/** Issues a driving licence with `@owf/mdoc` and the sandbox's signer. */
export async function issueMdl(issuer: Issuer, holderKey: SigningKey, now: Date): Promise<IssuerSigned> {
  const { key, chain } = issuer.signers.mdl
  return new MdocIssuer(mdl.type, context)
    .addIssuerNamespace(mdl.namespace, {
      ...mdl.elements,
      birth_date: new DateOnly(mdl.elements.birth_date),
    })
    .sign({
      signingKey: toCoseKey(key),
      algorithm: SignatureAlgorithm.ES256,
      digestAlgorithm: 'SHA-256',
      validityInfo: {
        signed: new Date(now.getTime() - day_ms),
        validFrom: new Date(now.getTime() - day_ms),
        validUntil: new Date(now.getTime() + day_ms),
      },
      deviceKeyInfo: { deviceKey: DeviceKey.fromJwk({ ...holderKey.public_key.export({ format: 'jwk' }) }) },
      certificates: [...chain],
    })
}

export type Handover = { client_id: string; nonce: string; response_uri: string; thumbprint: Uint8Array }

export async function presentMdl(
  issuerSigned: IssuerSigned,
  { client_id, nonce, response_uri, thumbprint }: Handover,
  holderKey: SigningKey,
): Promise<string> {
  const sessionTranscript = await SessionTranscript.forOid4Vp(
    { clientId: client_id, nonce, jwkThumbprint: thumbprint, responseUri: response_uri },
    context,
  )
  const itemsRequest = ItemsRequest.create({
    docType: mdl.type,
    namespaces: { [mdl.namespace]: Object.fromEntries(mdl.requested.map((element) => [element, false])) },
  })
  const response = await Holder.createDeviceResponseForDeviceRequest(
    {
      deviceRequest: DeviceRequest.create({ docRequests: [DocRequest.create({ itemsRequest })] }),
      sessionTranscript,
      issuerSigned: [issuerSigned],
      signature: { signingKey: toCoseKey(holderKey) },
    },
    context,
  )
  return response.encodedForOid4Vp
}

/** The library's form of a key. */
export function toCoseKey({ private_key }: SigningKey): CoseKey {
  return CoseKey.fromJwk({ ...private_key.export({ format: 'jwk' }), alg: 'ES256' })
}

/** Callbacks that the library requires. It only issues and presents here, so callbacks for verifiers throw. */
export const context: Pick<MdocContext, 'crypto' | 'cose'> = {
  crypto: {
    random: (length) => randomBytes(length),
    digest: ({ digestAlgorithm, bytes }) =>
      createHash(digestAlgorithm.replace('-', '')).update(bytes).digest(),
    calculateEphemeralMacKey: unsupported,
  },
  cose: {
    sign1: {
      sign: ({ key, toBeSigned }) => {
        const privateKey = createPrivateKey({ key: { ...key.jwk }, format: 'jwk' })
        return sign('sha256', toBeSigned, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      },
      verify: unsupported,
    },
    mac0: { sign: unsupported, verify: unsupported },
  },
}

function unsupported(): never {
  throw new Error('Not supported: this context only issues and presents.')
}
