import { readForm } from '../read-form.ts'

export type RequestPost = { wallet_nonce?: string }

const maxBodyCharacters = 64 * 1024
const maxNonceCharacters = 1024

/**
 * Reads what a wallet posts to the request URI (OpenID4VP 1.0 §5.10). `wallet_metadata` and unknown fields are ignored: the
 * request is the same for every wallet. Undefined if the body is invalid.
 */
export function readRequestPost(body: string): RequestPost | undefined {
  const nonces = readForm(body, maxBodyCharacters)?.getAll('wallet_nonce')
  if (nonces === undefined) return undefined
  const [wallet_nonce] = nonces
  if (wallet_nonce === undefined) return {}
  if (nonces.length > 1 || wallet_nonce === '' || wallet_nonce.length > maxNonceCharacters) return undefined
  return { wallet_nonce }
}
