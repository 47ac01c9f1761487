import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import { verifySignature } from '../crypto/verify-signature.ts'
import { failure } from '../findings.ts'
import type { Finding } from '../presentation.ts'
import type { Certificate } from './read-certificate.ts'
import { validatePath, type PathResult, type PathRequest } from './validate-path.ts'

export type SignedData = {
  /** Undefined when the algorithm it names is not accepted. */
  algorithm: SignatureAlgorithm | undefined
  signed: Uint8Array
  signature: Uint8Array
}

export type VerifiedSigner = PathResult & { signature_valid: boolean }

/**
 * Who signed, and whether the signature holds. Both are looked at even when the first fails, so that a genuine credential
 * of a stranger can be told from a forged one; only the two together mean anything.
 */
export function verifySigner(request: PathRequest, signed: SignedData): VerifiedSigner {
  const path = validatePath(request)
  const failedCheck = checkSignature(path.signer, signed)
  return {
    ...path,
    signature_valid: failedCheck === undefined,
    findings: failedCheck === undefined ? path.findings : [failedCheck, ...path.findings],
  }
}

function checkSignature(
  signer: Certificate | undefined,
  { algorithm, signed, signature }: SignedData,
): Finding | undefined {
  if (algorithm === undefined) return failure('issuer_algorithm', 'the algorithm it names is not accepted')
  if (signer?.key === undefined) {
    return {
      check: 'issuer_signature',
      status: 'skipped',
      detail: 'there is no certificate to check it with',
    }
  }
  if (signer.key.curve !== algorithm.curve) {
    return failure('issuer_algorithm', 'the algorithm it names does not fit the key of the certificate')
  }
  if (verifySignature(algorithm, signer.key, signed, signature)) return undefined
  return failure('issuer_signature', 'the signature is not that of the certificate')
}
