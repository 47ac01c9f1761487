import type { WalletError } from './read-wallet-error.ts'

/**
 * The result of a wallet's POST. `malformed` does not belong to this verification: 400, and the verification stays pending, because
 * anyone who saw the QR code can post here (WRES-5). A presentation is final, and so is an error that is bound to the verification;
 * an unencrypted one of the Digital Credentials API is not, because it contains nothing that only a wallet could know.
 */
export type WalletResponse =
  | { kind: 'malformed'; reason: string }
  | { kind: 'error'; error: WalletError; bound_to_verification: boolean }
  | { kind: 'presentation'; vp_token: unknown }
