import { generateKeyPair, randomBytes, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { idTokenAlgorithms, type IdTokenAlgorithm } from '@vidimus/contract'
import type { Keyring } from '../../../engine/keyring/index.ts'
import type { NewSigningKey } from './store.ts'
import { tables } from '../../../engine/db/index.ts'

export const signingKeyUse = tables.openid_keys.sealed.sealed

const generate = promisify(generateKeyPair)
/** What every client can verify (RFC 7518 §3.3 asks for at least this). */
const rsa_bits = 2048

/** A new key of each algorithm. Takes up to a second, so it comes before the transaction that stores them. */
export async function makeSigningKeys({ keyring }: { keyring: Keyring }): Promise<NewSigningKey[]> {
  return Promise.all(
    idTokenAlgorithms.map(async (algorithm) => {
      const { privateKey, publicKey } = await generateFor(algorithm)
      const id = randomBytes(9).toString('base64url')
      return {
        id,
        algorithm,
        public_jwk: { ...publicKey.export({ format: 'jwk' }), kid: id, alg: algorithm, use: 'sig' },
        sealed: keyring.seal(signingKeyUse, privateKey.export({ type: 'pkcs8', format: 'der' })),
      }
    }),
  )
}

function generateFor(algorithm: IdTokenAlgorithm): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  return algorithm === 'RS256'
    ? generate('rsa', { modulusLength: rsa_bits })
    : generate('ec', { namedCurve: 'P-256' })
}
