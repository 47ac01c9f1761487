import { accessSync, constants, mkdirSync } from 'node:fs'
import { type Config, ConfigError } from '../../engine/config/index.ts'

/** Creates AUDIT_CHECKPOINT_DIR if it is missing. A folder that this user may not write to is a mistake in the configuration; one that is away may come back. */
export function requireCheckpointFolder({ AUDIT_CHECKPOINT_DIR: folder }: Config): void {
  if (folder === undefined) return
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EACCES' && code !== 'EROFS') return
    const user = process.getuid?.() ?? 'this user'
    throw new ConfigError([
      `AUDIT_CHECKPOINT_DIR names ${folder}, in which user ${user} may not write (${code}): run \`chown ${user} ${folder}\`, or mount a folder that is writable for that user`,
    ])
  }
}
