import { randomBytes } from 'node:crypto'
import { Refusal } from '../basics/refusal.ts'
import type { Config, Secrets } from '../config/config.ts'
import type { Token } from './hsm/open-token.ts'
import type { Tokens } from './hsm/open-tokens.ts'
import type { TokenKey, TokenModule } from './hsm/read-pkcs11-uri.ts'
import { NotDecryptedError, TokenKeyError, type TokenWork } from './hsm/token-messages.ts'
import { UnsealError, readKeyId, seal, unseal } from './seal.ts'
import type { KeyRow } from './store.ts'

type OpenMasterKeys = {
  config: Pick<Config, 'MASTER_KEY_URI' | 'MASTER_KEY_PREVIOUS_URI'>
  secrets: Pick<Secrets, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>
  tokens: Tokens
}

/** The configured master keys. The first one wraps; while the master key is being changed, the previous one still unwraps. */
export function openMasterKeys({
  config: { MASTER_KEY_URI, MASTER_KEY_PREVIOUS_URI },
  secrets: { MASTER_KEY, MASTER_KEY_PREVIOUS },
  tokens,
}: OpenMasterKeys): MasterKey[] {
  const inToken = (setting: string, key: typeof MASTER_KEY_URI) =>
    key === undefined ? [] : [openTokenMasterKey({ key, tokens, setting })]
  const inMemory = (setting: string, key: Buffer | undefined) =>
    key === undefined ? [] : [openMemoryMasterKey(key, setting)]
  return [
    ...inMemory('MASTER_KEY', MASTER_KEY),
    ...inToken('MASTER_KEY_URI', MASTER_KEY_URI),
    ...inMemory('MASTER_KEY_PREVIOUS', MASTER_KEY_PREVIOUS),
    ...inToken('MASTER_KEY_PREVIOUS_URI', MASTER_KEY_PREVIOUS_URI),
  ]
}

const wrappingUse = 'keyring'

/** A master key of 32 bytes in the memory of this process. */
export function openMemoryMasterKey(key: Buffer, setting = 'MASTER_KEY'): MasterKey {
  return {
    setting,
    wrap: async (_place, plain) => seal({ id: wrapperIds.memory, key }, wrappingUse, plain),
    async unwrap({ wrapped }) {
      if (readKeyId(wrapped) !== wrapperIds.memory) return undefined
      try {
        return unseal(key, wrappingUse, wrapped)
      } catch (error) {
        // Wrapped by another master key.
        if (error instanceof UnsealError) return undefined
        throw error
      }
    },
    async check() {},
  }
}

type OpenTokenMasterKey = { key: TokenKey & TokenModule; tokens: Tokens; setting?: string }

const head_bytes = 4
const nonce_bytes = 12

/**
 * A master key in an HSM, which encrypts and decrypts there. A wrapped key is the id of this kind, a nonce, the ciphertext and the tag
 * of AES-256-GCM. Its id, purpose and cell are authenticated, so that a row cannot be exchanged for another.
 */
function openTokenMasterKey({ key, tokens, setting = 'MASTER_KEY_URI' }: OpenTokenMasterKey): MasterKey {
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
      throw new MasterKeyError(setting, token.problem() ?? 'the HSM does not respond')
    throw error
  }
}

/** A key of the ring without its bytes. */
type RingPlace = Omit<KeyRow, 'wrapped'>

/** What wraps the keys of the ring, wherever it is. It is never in the database. */
export type MasterKey = {
  /** The setting that names it. */
  setting: string
  wrap(place: RingPlace, key: Buffer): Promise<Buffer>
  /** Undefined if another master key has wrapped it. */
  unwrap(row: KeyRow): Promise<Buffer | undefined>
  /** Rejects with a `MasterKeyError` if it cannot wrap now. */
  check(): Promise<void>
}

/** The first bytes of a wrapped key, where a sealed value has the id of its key: which kind of master key wraps it. */
export const wrapperIds = { memory: 0, token: 1 } as const

const retryAfter_seconds = 2

/** The master key cannot be used now. Operators get the reason; other callers learn only that a secret cannot be decrypted now. */
export class MasterKeyError extends Refusal {
  override name = 'MasterKeyError'
  readonly setting: string
  readonly reason: string

  constructor(setting: string, reason: string) {
    super(
      'overloaded',
      'A stored secret cannot be decrypted at the moment. Try again in a few seconds.',
      retryAfter_seconds,
    )
    this.setting = setting
    this.reason = reason
  }

  /** For operators: what is wrong, in one line. */
  explain(): string {
    return `${this.setting} cannot be used: ${this.reason}`
  }
}
