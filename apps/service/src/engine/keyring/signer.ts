import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { fromDerSignature } from '@vidimus/protocol'
import type { Hsm } from './hsm/open-hsm.ts'
import { type HsmKey, signingUnavailable } from './hsm.ts'

/**
 * A private key on P-256 that signs for the service, wherever it is stored. A driver for a key management service would be
 * another one: AWS, Google and Vault answer in DER (`fromDerSignature`), Azure with r and s.
 */
export type Signer = {
  /** ES256: SHA-256, then r and s concatenated, 64 bytes (RFC 7518 §3.4). Rejects with `signingUnavailable` if the key cannot be reached. */
  sign: (bytes: Uint8Array) => Promise<Uint8Array>
}

/** An ES256 signature: r and s of 32 bytes each. */
const signature_bytes = 64

/** A key in this process's memory, read from a file or unsealed. Signs on the thread pool, so that the event loop is not blocked. */
export function openKeySigner(key: KeyObject): Signer {
  return {
    sign: (bytes) =>
      new Promise((resolve, reject) => {
        sign('sha256', bytes, key, (error, signature) =>
          error === null ? resolve(fromDerSignature(signature, signature_bytes)) : reject(error),
        )
      }),
  }
}

/** A key in the PKCS#11 token. Without a token, because it is no longer configured, every signature is refused. */
export function openHsmSigner(hsm: Hsm | undefined, key: HsmKey): Signer {
  return {
    sign: (bytes) =>
      hsm === undefined
        ? Promise.reject(signingUnavailable())
        : hsm.perform(key, { kind: 'sign', digest: createHash('sha256').update(bytes).digest() }),
  }
}

/** No request object or reader authentication begins like this, so the signature is of no use to anybody. */
const statement = Buffer.from('Vidimus checks that this key belongs to its certificate.')

/** Whether a signer has the private key of a public one. Needs no public key beside the private one. */
export async function provesKey(signer: Signer, publicKey: KeyObject): Promise<boolean> {
  const signature = await signer.sign(statement)
  return verify('sha256', statement, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
}
