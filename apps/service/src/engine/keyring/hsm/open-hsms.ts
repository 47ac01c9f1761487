import { randomBytes } from 'node:crypto'
import { Refusal } from '../../basics/refusal.ts'
import type { Log } from '../../observability/log.ts'
import { type HsmKey, HsmKeyError, type HsmModule } from '../hsm.ts'
import { type MasterKey, MasterKeyError, type RingPlace, wrapperIds } from '../master-key.ts'
import { readKeyId } from '../seal.ts'
import { hsmLimits, type HsmWork, NotDecryptedError } from './hsm-messages.ts'
import { openHsm, type Hsm } from './open-hsm.ts'

/** The PKCS#11 tokens of the configuration. Keys in the same token share its process, and so one attempt with its PIN. */
export type Hsms = {
  /** A token that is needed all the time. `onUsable` is told whenever it becomes usable or unusable. */
  keep(key: HsmKey & HsmModule, onUsable: (usable: boolean) => void): Hsm
  /** A master key, whose token is opened for each piece of work. A token that is not kept is left a while later. */
  openMasterKey(key: HsmKey & HsmModule, setting: string): MasterKey
  close(): void
}

type OpenedHsm = {
  hsm: Hsm
  kept: boolean
  users: number
  leaving?: NodeJS.Timeout | undefined
  onUsable?: (usable: boolean) => void
}

export function openHsms(log: Log): Hsms {
  const opened = new Map<string, OpenedHsm>()

  function find({ token: label, module_path, pin_file }: HsmKey & HsmModule): OpenedHsm {
    const name = JSON.stringify([module_path, label, pin_file])
    const known = opened.get(name)
    if (known !== undefined) return known
    const entry: OpenedHsm = {
      hsm: openHsm({
        log,
        token: label,
        module_path,
        pin_file,
        onUsable: (usable) => entry.onUsable?.(usable),
      }),
      kept: false,
      users: 0,
    }
    opened.set(name, entry)
    return entry
  }

  async function use<Result>(key: HsmKey & HsmModule, work: (hsm: Hsm) => Promise<Result>): Promise<Result> {
    const entry = find(key)
    entry.users += 1
    clearTimeout(entry.leaving)
    try {
      return await work(entry.hsm)
    } finally {
      entry.users -= 1
      if (!entry.kept && entry.users === 0)
        entry.leaving = setTimeout(() => entry.hsm.rest(), hsmLimits.rest_ms).unref()
    }
  }

  return {
    keep(key, onUsable) {
      const entry = find(key)
      entry.kept = true
      entry.onUsable = onUsable
      return entry.hsm
    },
    openMasterKey: (key, setting) =>
      openHsmMasterKey(setting, (work) => use(key, (hsm) => performWith(hsm, { key, work, setting }))),
    close() {
      for (const { hsm, leaving } of opened.values()) {
        clearTimeout(leaving)
        hsm.close()
      }
    },
  }
}

const head_bytes = 4
const nonce_bytes = 12

/**
 * A master key in a PKCS#11 token, which encrypts and decrypts there. A wrapped key is the id of this kind, a nonce, the ciphertext and the tag
 * of AES-256-GCM. Its id, purpose and cell are authenticated, so that a row cannot take the place of another.
 */
function openHsmMasterKey(setting: string, perform: (work: HsmWork) => Promise<Uint8Array>): MasterKey {
  async function wrap(place: RingPlace, plain: Buffer): Promise<Buffer> {
    const nonce = randomBytes(nonce_bytes)
    const encrypted = await perform({ kind: 'encrypt', plain, nonce, bound: bind(place) })
    const head = Buffer.alloc(head_bytes)
    head.writeUInt32BE(wrapperIds.hsm)
    return Buffer.concat([head, nonce, encrypted])
  }

  return {
    setting,
    wrap,
    async unwrap({ wrapped, ...place }) {
      if (readKeyId(wrapped) !== wrapperIds.hsm) return undefined
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
  hsm: Hsm,
  { key, work, setting }: { key: HsmKey; work: HsmWork; setting: string },
): Promise<Uint8Array> {
  await hsm.open()
  try {
    return await hsm.perform(key, work)
  } catch (error) {
    if (error instanceof HsmKeyError) throw new MasterKeyError(setting, error.reason)
    if (error instanceof Refusal)
      throw new MasterKeyError(setting, hsm.problem() ?? 'the token does not answer', hsm.isRefused())
    throw error
  }
}
