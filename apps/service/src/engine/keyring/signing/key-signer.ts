import { sign, type KeyObject } from 'node:crypto'
import { fromDerSignature } from '@vidimus/protocol'
import { signature_bytes, type Signer } from './signer.ts'

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
