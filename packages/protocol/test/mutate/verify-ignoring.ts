import type { CheckName } from '../../src/checks.ts'
import { hasFailure } from '../../src/findings.ts'
import { verifyMdoc } from '../../src/mdoc/verify.ts'
import { decideOutcome } from '../../src/outcome/decide.ts'
import type { Outcome, PresentedCredential, VerificationContext } from '../../src/presentation.ts'
import { verifySdJwt } from '../../src/sd-jwt/verify.ts'
import { verifyPresentation } from '../../src/verify-presentation.ts'

/** Verifies; if there are checks to ignore, with a faulty verifier that ignores them, for runs that must fail. */
export function verifyIgnoring(
  vp_token: unknown,
  context: VerificationContext,
  ignoredChecks: readonly CheckName[],
): Promise<Outcome> {
  const { request, trust, now } = context
  if (ignoredChecks.length === 0) return verifyPresentation(request, vp_token, trust, now)
  const ignoreFailures = (credential: PresentedCredential): PresentedCredential => {
    const findings = credential.findings.filter(({ check }) => !ignoredChecks.includes(check))
    const flags = hasFailure(findings)
      ? {}
      : { trusted: true, signature_valid: true, holder_binding_valid: true }
    return { ...credential, ...flags, findings }
  }
  const verifiers = {
    verify: (presentation: string) =>
      ignoreFailures(
        presentation.includes('~') ? verifySdJwt(presentation, context) : verifyMdoc(presentation, context),
      ),
    checkStatus: async () => [],
  }
  return decideOutcome(request, vp_token, verifiers, now)
}
