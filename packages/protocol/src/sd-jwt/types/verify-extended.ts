import { failure, hasFailure } from '../../findings.ts'
import type { PresentedCredential, VerificationContext } from '../../presentation.ts'
import { verifySdJwt } from '../verify.ts'
import { findExtendedTypes } from './find-extended-types.ts'

/**
 * Verifies an SD-JWT VC whose type may extend the requested one. What a type extends is looked up only once signature, trust and
 * binding have proved good, so that a forged credential causes no request. The credential is then verified again as one of
 * those types: an anchor must vouch for the requested type, because extending a type authorises nobody to issue it
 * (SD-JWT VC, "Credential Type Extension and Issuer Authorization").
 */
export async function verifyExtendedSdJwt(
  presentation: string,
  context: VerificationContext,
): Promise<PresentedCredential> {
  const credential = verifySdJwt(presentation, context)
  const { type_metadata, trusted, signature_valid, holder_binding_valid, findings } = credential
  const { lookUpType } = context.trust
  if (type_metadata === undefined || lookUpType === undefined) return credential
  if (!trusted || !signature_valid || !holder_binding_valid || hasFailure(findings)) return credential

  const { requested_types = [] } = context
  const found = await findExtendedTypes(type_metadata, requested_types, lookUpType)
  if ('value' in found && found.value.some((type) => requested_types.includes(type)))
    return verifySdJwt(presentation, { ...context, extended_types: found.value })
  const detail = 'error' in found ? found.error : 'its type extends none of the requested ones'
  return { ...credential, findings: [...findings, failure('credential_type', detail)] }
}
