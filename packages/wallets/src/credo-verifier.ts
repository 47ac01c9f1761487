import { Kms, MdocDeviceResponse } from '@credo-ts/core'
import { openCredoAgent } from './credo-agent.ts'

type PresentationRequest = { client_id: string; nonce: string; response_uri: string; encryption_jwk: object }

/** A verifier that uses the Credo framework. It throws if it refuses a presentation. */
export async function openCredoVerifier(trustedRoots: readonly Uint8Array[]) {
  const agent = await openCredoAgent({ fetch: refuseFetch, trustedRoots })
  return {
    async verifySdJwtVc(presentation: string, { client_id, nonce }: PresentationRequest): Promise<void> {
      const { isValid } = await agent.sdJwtVc.verify({
        compactSdJwtVc: presentation,
        keyBinding: { audience: client_id, nonce },
      })
      if (!isValid) throw new Error('Credo refused the SD-JWT VC.')
    },
    async verifyMdoc(presentation: string, request: PresentationRequest): Promise<void> {
      await MdocDeviceResponse.fromBase64Url(presentation).verify(agent.context, {
        sessionTranscriptOptions: {
          type: 'openId4Vp',
          clientId: request.client_id,
          verifierGeneratedNonce: request.nonce,
          responseUri: request.response_uri,
          encryptionJwk: Kms.PublicJwk.fromUnknown(request.encryption_jwk),
        },
      })
    },
    [Symbol.asyncDispose]: () => agent.shutdown(),
  }
}

async function refuseFetch(): Promise<never> {
  throw new Error('This verifier makes no HTTP requests.')
}
