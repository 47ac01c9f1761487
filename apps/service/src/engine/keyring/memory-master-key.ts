import { wrapperIds, type MasterKey } from './master-key.ts'
import { readKeyId, seal, unseal, UnsealError } from './seal.ts'

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
