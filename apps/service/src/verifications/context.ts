import type { TemplateContext } from '../templates/index.ts'
import type { TrustContext } from '../trust/index.ts'
import type { Verifier } from './wallet/open-verifier.ts'

export type VerificationContext = TrustContext &
  TemplateContext & {
    /** Worker threads that check wallet responses. */
    verifier: Verifier
  }
