import { verifyMdoc } from './mdoc/verify.ts'
import { decideOutcome } from './outcome/decide.ts'
import type { Outcome, TrustContext, VerifierRequest } from './presentation.ts'
import { verifyExtendedSdJwt } from './sd-jwt/types/verify-extended.ts'
import { checkStatus } from './status/check.ts'

/**
 * Verifies a wallet response to a request. Never throws on wallet input: a failed verification is an outcome. `now` is in
 * seconds since 1970.
 */
export async function verifyPresentation(
  request: VerifierRequest,
  vp_token: unknown,
  trust: TrustContext,
  now: number,
): Promise<Outcome> {
  const context = { request, trust, now }
  const outcome = await decideOutcome(
    request,
    vp_token,
    {
      // Detect the format from the content, not from the query, so that a wrong format is reported as such. An mdoc contains no full stop or tilde.
      verify: (presentation, { meta }) =>
        /[.~]/.test(presentation)
          ? verifyExtendedSdJwt(presentation, {
              ...context,
              ...(meta.vct_values && { requested_types: meta.vct_values }),
            })
          : verifyMdoc(presentation, context),
      async checkStatus(credential) {
        trust.endStep?.('checks')
        const findings = await checkStatus(credential, context)
        trust.endStep?.('status')
        return findings
      },
    },
    now,
  )
  trust.endStep?.('outcome')
  return outcome
}
