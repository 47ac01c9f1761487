import { verifyMdoc } from './mdoc/verify.ts'
import { decideOutcome } from './outcome/decide.ts'
import type { Outcome, TrustContext, VerifierRequest } from './presentation.ts'
import { verifySdJwt } from './sd-jwt/verify.ts'
import { checkStatus } from './status/check.ts'

/**
 * Verifies a wallet's answer to a request and says what became of it. Never throws on what the wallet sent: a failed
 * verification is an outcome. `now` in seconds since 1970.
 */
export async function verifyPresentation(
  request: VerifierRequest,
  vp_token: unknown,
  trust: TrustContext,
  now: number,
): Promise<Outcome> {
  const context = { request, trust, now }
  return decideOutcome(
    request,
    vp_token,
    {
      // By what it is, not by what was asked for: the wrong format is then named as such. No mdoc has a full stop or a tilde.
      verify: (presentation, { meta }) =>
        /[.~]/.test(presentation)
          ? verifySdJwt(presentation, {
              ...context,
              ...(meta.vct_values && { requested_types: meta.vct_values }),
            })
          : verifyMdoc(presentation, context),
      checkStatus: (credential) => checkStatus(credential, context),
    },
    now,
  )
}
