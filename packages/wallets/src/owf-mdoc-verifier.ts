import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { CoseKey, DeviceResponse, SessionTranscript, type MdocContext } from '@owf/mdoc'
import { context, type Handover } from './owf-mdoc.ts'

/**
 * `@owf/mdoc` as a verifier. The library leaves certificate checks to its caller; this one accepts a single known signer, like a
 * verifier that caches validated certificates.
 */
export function openMdocVerifier(signer: Uint8Array, root: Uint8Array) {
  const verifierContext = { ...context, cose, x509: createX509Context(signer) }
  return async (presentation: string, handover: Handover): Promise<void> => {
    const { client_id, nonce, response_uri, thumbprint } = handover
    const sessionTranscript = await SessionTranscript.forOid4Vp(
      { clientId: client_id, nonce, jwkThumbprint: thumbprint, responseUri: response_uri },
      verifierContext,
    )
    const response = DeviceResponse.fromEncodedForOid4Vp(presentation)
    await response.verify({ sessionTranscript, trustedCertificates: [root] }, verifierContext)
  }
}

const cose: MdocContext['cose'] = {
  ...context.cose,
  sign1: {
    ...context.cose.sign1,
    verify: ({ key: { jwk }, sign1 }) => {
      const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
      return verify('sha256', sign1.toBeSigned, { key, dsaEncoding: 'ieee-p1363' }, sign1.signature)
    },
  },
}

function createX509Context(signer: Uint8Array): MdocContext['x509'] {
  const knownSigner = new X509Certificate(signer)
  const key = CoseKey.fromJwk({ ...knownSigner.publicKey.export({ format: 'jwk' }), alg: 'ES256' })
  const issuerNames = knownSigner.issuer.split('\n').map((part) => part.split('='))
  const certificateData = {
    issuerName: knownSigner.issuer,
    subjectName: knownSigner.subject,
    serialNumber: knownSigner.serialNumber,
    thumbprint: knownSigner.fingerprint256,
    notBefore: knownSigner.validFromDate,
    notAfter: knownSigner.validToDate,
    pem: knownSigner.toString(),
  }
  return {
    getIssuerNameField: ({ field }) =>
      issuerNames.filter(([name]) => name === field).map(([, value = '']) => value),
    getPublicKey: () => key,
    getCertificateData: () => certificateData,
    verifyCertificateChain: ({ x5chain: [leaf] }) => {
      if (leaf === undefined || !knownSigner.raw.equals(leaf)) throw new Error('The signer is unknown.')
    },
  }
}
