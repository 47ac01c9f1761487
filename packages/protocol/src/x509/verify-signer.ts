import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import { fitsKey, verifySignature } from '../crypto/verify-signature.ts'
import { failure } from '../findings.ts'
import type { EndStep, Finding } from '../presentation.ts'
import type { Certificate } from './read-certificate.ts'
import { validatePath, type PathRequest, type PathResult } from './validate-path.ts'

export type SignedData = {
  /** Undefined if the named algorithm is not accepted. */
  algorithm: SignatureAlgorithm | undefined
  signed: Uint8Array
  signature: Uint8Array
}

export type VerifiedSigner = PathResult & { signature_valid: boolean }

/**
 * Validates the signer's certificates and the signature. Both are checked even if the first fails, to distinguish a genuine
 * credential of an untrusted issuer from a forgery. Neither means anything without the other.
 */
export function verifySigner(request: PathRequest, signed: SignedData, endStep?: EndStep): VerifiedSigner {
  const path = validatePath(request)
  endStep?.('trust')
  const failedCheck = checkSignature(path.signer, signed)
  endStep?.('signature')
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
  if (algorithm === undefined) return failure('issuer_algorithm', 'the named algorithm is not accepted')
  if (signer?.key === undefined) {
    return {
      check: 'issuer_signature',
      status: 'skipped',
      detail: 'there is no certificate to verify it with',
    }
  }
  if (!fitsKey(algorithm, signer.key)) {
    return failure('issuer_algorithm', 'the named algorithm does not match the key of the certificate')
  }
  if (verifySignature(algorithm, signer.key, signed, signature)) return undefined
  return failure('issuer_signature', 'the signature does not match the certificate')
}
