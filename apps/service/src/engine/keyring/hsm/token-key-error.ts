import { Refusal } from '../../basics/refusal.ts'
import { signingUnavailable } from '../signing/signer.ts'

/** The token works, but the key that a signature needs is not in it or cannot sign ES256. To a wallet it is the same as no token. */
export class TokenKeyError extends Refusal {
  override name = 'TokenKeyError'
  readonly reason: string

  constructor(reason: string) {
    const { code, message, retryAfter_seconds } = signingUnavailable()
    super(code, message, retryAfter_seconds)
    this.reason = reason
  }
}
