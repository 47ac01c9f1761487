import { findJoseAlgorithm } from '../crypto/algorithms.ts'
import { failure, hasFailure } from '../findings.ts'
import { catchInputError, type ReadResult } from '../input-error.ts'
import { findLifetimeError } from '../lifetime.ts'
import type { Finding, PresentedCredential, TypeReference, VerificationContext } from '../presentation.ts'
import { readStatusReference } from '../status/read-status-reference.ts'
import { buildUnreadableCredential } from '../unreadable-credential.ts'
import { describeSigner } from '../x509/describe-signer.ts'
import { documentProfile } from '../x509/profiles.ts'
import { verifySigner, type VerifiedSigner } from '../x509/verify-signer.ts'
import { readSdJwt, type SdJwt } from './read.ts'
import { restoreClaims, type RestoredClaims } from './restore.ts'
import { basePidType, findPidCountry, isSameCountry } from './types/national-pid.ts'
import { verifyKeyBinding } from './verify-key-binding.ts'

/** Verifies an SD-JWT VC with key binding, except for its revocation status. Runs every check that it can, so that the findings show the cause. */
export function verifySdJwt(presentation: string, context: VerificationContext): PresentedCredential {
  const read = catchInputError(() => readSdJwt(presentation))
  if ('error' in read) return buildUnreadableCredential('dc+sd-jwt', read.error)
  const sdJwt = read.value
  const { payload } = sdJwt.issuer_jwt

  const { document_types, signer, ...type } = verifyIssuerOfType(sdJwt, context)
  const restored = catchInputError(() => restoreClaims(payload, sdJwt.disclosures))
  context.trust.endStep?.('disclosures')
  const binding = verifyKeyBinding(sdJwt, context)
  context.trust.endStep?.('key binding')
  const { findings: statusFindings, ...status } = readStatusReference(payload['status'], context.trust)

  return {
    format: 'dc+sd-jwt',
    doctype_or_vct: sdJwt.vct,
    document_types,
    ...type,
    ...('value' in restored ? restored.value : { claims: {} }),
    ...describeSigner(signer),
    holder_binding_valid: !hasFailure(binding),
    ...status,
    findings: [
      ...signer.findings,
      ...checkPidCountry(sdJwt, signer),
      ...checkDisclosures(restored),
      ...checkValidity(payload, context.now),
      ...binding,
      ...statusFindings,
    ],
  }
}

type IssuerOfType = { document_types: string[]; signer: VerifiedSigner; type_metadata?: TypeReference }

/**
 * An issuer may assign further types to a credential, or its type may extend others. The anchor must be trusted for the requested
 * one. While it is not known what the type extends, any of the requested types will do.
 */
function verifyIssuerOfType(sdJwt: SdJwt, context: VerificationContext): IssuerOfType {
  const { vct, aka_vcts, type_metadata } = sdJwt
  const { requested_types = [], extended_types } = context
  // A national PID is a PID: whoever asks for the base type gets it (PID Rulebook 4.2).
  const country = findPidCountry(vct)
  const implied = country === undefined ? [] : [basePidType]
  const requested = [vct, ...aka_vcts, ...implied, ...(extended_types ?? [])].filter(
    (type, index, types) => requested_types.includes(type) && types.indexOf(type) === index,
  )
  const document_types = requested.length > 0 ? requested : [vct]
  const mayExtend = requested.length === 0 && requested_types.length > 0 && extended_types === undefined
  if (type_metadata !== undefined && mayExtend && context.trust.lookUpType !== undefined) {
    const signer = verifyIssuer(sdJwt, requested_types, context)
    if (signer.anchor !== undefined) return { document_types, signer, type_metadata }
  }
  return { document_types, signer: verifyIssuer(sdJwt, document_types, context) }
}

function verifyIssuer(
  { issuer_jwt, chain }: SdJwt,
  document_types: readonly string[],
  { trust, now }: VerificationContext,
): VerifiedSigner {
  const { header, signed, signature } = issuer_jwt
  return verifySigner(
    { chain, anchors: trust.anchors, document_types, profile: documentProfile(document_types), now },
    { algorithm: findJoseAlgorithm(header['alg']), signed, signature },
    trust.endStep,
  )
}

/** A state issues its own type of PID, and no other state's. */
function checkPidCountry({ vct }: SdJwt, { signer }: VerifiedSigner): Finding[] {
  const country = findPidCountry(vct)
  if (country === undefined || signer === undefined || isSameCountry(country, signer.subject.country))
    return []
  return [failure('issuer_country', "the type's country is not that of the signer's certificate")]
}

function checkDisclosures(restored: ReadResult<RestoredClaims>): Finding[] {
  return 'error' in restored ? [failure('disclosures', restored.error)] : []
}

function checkValidity(payload: Record<string, unknown>, now: number): Finding[] {
  const lifetimeError = findLifetimeError(payload, now)
  return lifetimeError === undefined ? [] : [failure('credential_validity', lifetimeError)]
}
