import type { Config, Secrets } from '../config/config.ts'
import type { Log } from '../observability/log.ts'
import type { Hsms } from './hsm/open-hsms.ts'
import { type MasterKey, openMemoryMasterKey } from './master-key.ts'

type HsmSettings = Pick<Config, 'SIGNING_KEY_URI' | 'MASTER_KEY_URI' | 'MASTER_KEY_PREVIOUS_URI'>

/** What uses keys in PKCS#11 tokens. It is loaded only if a setting names such a key. */
export async function openConfiguredHsms(
  { SIGNING_KEY_URI, MASTER_KEY_URI, MASTER_KEY_PREVIOUS_URI }: HsmSettings,
  log: Log,
): Promise<Hsms | undefined> {
  if ((SIGNING_KEY_URI ?? MASTER_KEY_URI ?? MASTER_KEY_PREVIOUS_URI) === undefined) return undefined
  const { openHsms } = await import('./hsm/open-hsms.ts')
  return openHsms(log)
}

type OpenMasterKeys = {
  config: Pick<Config, 'MASTER_KEY_URI' | 'MASTER_KEY_PREVIOUS_URI'>
  secrets: Pick<Secrets, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>
  /** Of `openConfiguredHsms`, with the same settings. */
  hsms: Hsms | undefined
}

/** The configured master keys. The first one wraps; while the master key is being changed, the previous one still unwraps. */
export function openMasterKeys({
  config: { MASTER_KEY_URI, MASTER_KEY_PREVIOUS_URI },
  secrets: { MASTER_KEY, MASTER_KEY_PREVIOUS },
  hsms,
}: OpenMasterKeys): MasterKey[] {
  const inHsm = (setting: string, key: typeof MASTER_KEY_URI) =>
    key === undefined || hsms === undefined ? [] : [hsms.openMasterKey(key, setting)]
  const inMemory = (setting: string, key: Buffer | undefined) =>
    key === undefined ? [] : [openMemoryMasterKey(key, setting)]
  return [
    ...inMemory('MASTER_KEY', MASTER_KEY),
    ...inHsm('MASTER_KEY_URI', MASTER_KEY_URI),
    ...inMemory('MASTER_KEY_PREVIOUS', MASTER_KEY_PREVIOUS),
    ...inHsm('MASTER_KEY_PREVIOUS_URI', MASTER_KEY_PREVIOUS_URI),
  ]
}
