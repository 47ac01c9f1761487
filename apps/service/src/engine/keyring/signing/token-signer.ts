import { createHash } from 'node:crypto'
import { signingUnavailable, type Signer } from './signer.ts'
import type { Token } from '../hsm/open-token.ts'
import type { TokenKey } from '../hsm/read-pkcs11-uri.ts'

/** A key in the HSM. If the HSM is no longer configured, every signature is refused. */
export function openTokenSigner(token: Token | undefined, key: TokenKey): Signer {
  return {
    sign: (bytes) =>
      token === undefined
        ? Promise.reject(signingUnavailable())
        : token.perform(key, { kind: 'sign', digest: createHash('sha256').update(bytes).digest() }),
  }
}
