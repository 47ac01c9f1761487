import type { TrustContext } from '../trust/index.ts'
import type { Verifier } from './wallet/open-verifier.ts'

export type VerificationContext = TrustContext & {
  /** Worker threads that check wallet responses. */
  verifier: Verifier
}
