import type { Config, Secrets } from '../config/config.ts'
import type { Tokens } from './hsm/open-tokens.ts'
import type { MasterKey } from './master-key.ts'
import { openMemoryMasterKey } from './memory-master-key.ts'
import { openTokenMasterKey } from './token-master-key.ts'

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
