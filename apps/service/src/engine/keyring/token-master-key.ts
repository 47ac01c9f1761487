import { randomBytes } from 'node:crypto'
import { Refusal } from '../basics/refusal.ts'
import { NotDecryptedError } from './hsm/not-decrypted-error.ts'
import type { Token } from './hsm/open-token.ts'
import type { Tokens } from './hsm/open-tokens.ts'
import type { TokenKey, TokenModule } from './hsm/read-pkcs11-uri.ts'
import { TokenKeyError } from './hsm/token-key-error.ts'
import type { TokenWork } from './hsm/token-messages.ts'
import { MasterKeyError, wrapperIds, type MasterKey, type RingPlace } from './master-key.ts'
import { readKeyId } from './seal.ts'

const head_bytes = 4
const nonce_bytes = 12

type OpenTokenMasterKey = { key: TokenKey & TokenModule; tokens: Tokens; setting?: string }

/**
 * A master key in a PKCS#11 token, which encrypts and decrypts there. A wrapped key is the id of this kind, a nonce, the ciphertext and the tag
 * of AES-256-GCM. Its id, purpose and cell are authenticated, so that a row cannot take the place of another.
 */
export function openTokenMasterKey({
  key,
  tokens,
  setting = 'MASTER_KEY_URI',
}: OpenTokenMasterKey): MasterKey {
  const perform = (work: TokenWork) => tokens.use(key, (token) => performWith(token, { key, work, setting }))

  async function wrap(place: RingPlace, plain: Buffer): Promise<Buffer> {
    const nonce = randomBytes(nonce_bytes)
    const encrypted = await perform({ kind: 'encrypt', plain, nonce, bound: bind(place) })
    const head = Buffer.alloc(head_bytes)
    head.writeUInt32BE(wrapperIds.token)
    return Buffer.concat([head, nonce, encrypted])
  }

  return {
    setting,
    wrap,
    async unwrap({ wrapped, ...place }) {
      if (readKeyId(wrapped) !== wrapperIds.token) return undefined
      const nonce = wrapped.subarray(head_bytes, head_bytes + nonce_bytes)
      const encrypted = wrapped.subarray(head_bytes + nonce_bytes)
      try {
        return Buffer.from(await perform({ kind: 'decrypt', encrypted, nonce, bound: bind(place) }))
      } catch (error) {
        if (error instanceof NotDecryptedError) return undefined
        throw error
      }
    },
    async check() {
      await wrap({ id: 0, purpose: 'seal' }, randomBytes(32))
    },
  }
}

function bind({ id, purpose, cell }: RingPlace): Buffer {
  return Buffer.from(JSON.stringify(['vidimus keyring', id, purpose, cell ?? null]))
}

async function performWith(
  token: Token,
  { key, work, setting }: { key: TokenKey; work: TokenWork; setting: string },
): Promise<Uint8Array> {
  await token.open()
  try {
    return await token.perform(key, work)
  } catch (error) {
    if (error instanceof TokenKeyError) throw new MasterKeyError(setting, error.reason)
    if (error instanceof Refusal)
      throw new MasterKeyError(setting, token.problem() ?? 'the token does not answer')
    throw error
  }
}
