import { Refusal } from '../basics/refusal.ts'
import { UnsealError, readKeyId, seal, unseal } from './seal.ts'
import type { KeyRow } from './store.ts'

/** A key of the ring without its bytes. */
export type RingPlace = Omit<KeyRow, 'wrapped'>

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
export const wrapperIds = { memory: 0, hsm: 1 } as const

const retryAfter_seconds = 2

/** The master key cannot be used now. Operators get the reason; to everybody else a secret cannot be decrypted for the moment. */
export class MasterKeyError extends Refusal {
  override name = 'MasterKeyError'
  readonly setting: string
  readonly reason: string
  /** Another start would fail in the same way and might lock the token: its PIN is wrong. */
  readonly permanent: boolean

  constructor(setting: string, reason: string, permanent = false) {
    super(
      'overloaded',
      'A stored secret cannot be decrypted at the moment. Try again in a few seconds.',
      retryAfter_seconds,
    )
    this.setting = setting
    this.reason = reason
    this.permanent = permanent
  }

  /** For operators: what is wrong, in one line. */
  explain(): string {
    return `${this.setting} cannot be used: ${this.reason}`
  }
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
