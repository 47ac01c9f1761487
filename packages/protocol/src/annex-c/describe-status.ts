import type { WalletError } from '../response/read-wallet-error.ts'

/** ISO/IEC 18013-5 §8.3.2.1.2.3: an error without any given reason. */
const generalError = 10

/**
 * The error of a DeviceResponse without documents, by its status. A wallet whose holder declined, or that has no such document,
 * sends no document; it cannot say which. Like a general error, that is a refusal without a reason, so another wallet may
 * respond. The other codes say that it could not read the request.
 */
export function describeStatus(status: number): WalletError {
  if (status === 0) {
    return {
      code: 'holder_declined',
      message: 'The holder declined, or has no such credential: the DeviceResponse contains no document.',
      may_have_other_wallet: true,
    }
  }
  return {
    code: 'wallet_error',
    message: `The wallet could not respond: the DeviceResponse has status ${status}.`,
    may_have_other_wallet: status === generalError,
  }
}
