import { wrapperIds, type MasterKey } from './master-key.ts'
import { readKeyId, UnsealError } from './seal.ts'
import type { KeyRow } from './store.ts'

/** None of the configured master keys opens the ring. The message says what to set. */
export class ClosedRingError extends UnsealError {
  override name = 'ClosedRingError'
}

export type UnwrappedRow = { key: Buffer; by: MasterKey }

/** Tries each master key. One that cannot be used now is the reason only if no other opens the row. */
export async function unwrapRow(masterKeys: readonly MasterKey[], row: KeyRow): Promise<UnwrappedRow> {
  let reason: unknown
  for (const by of masterKeys) {
    try {
      const key = await by.unwrap(row)
      if (key !== undefined) return { key, by }
    } catch (error) {
      if (!(error instanceof UnsealError)) reason ??= error
    }
  }
  throw reason ?? new ClosedRingError(explainClosed(masterKeys, row))
}

/** A wrapped key shows whether a key in a token wraps it, so that the missing setting can be named. */
function explainClosed(masterKeys: readonly MasterKey[], { wrapped }: KeyRow): string {
  const settings = masterKeys.map(({ setting }) => setting)
  const has = (kind: 'token' | 'memory') =>
    settings.some((setting) => setting.endsWith('_URI') === (kind === 'token'))
  if (wrapped.length > 4 && readKeyId(wrapped) === wrapperIds.token)
    return has('token')
      ? `Another key than that of ${settings.filter((setting) => setting.endsWith('_URI')).join(' or ')} wraps the key ring of this database. Name the key that wraps it; while changing it, as MASTER_KEY_PREVIOUS_URI.`
      : 'A key in a token wraps the key ring of this database. Name it as MASTER_KEY_URI instead of MASTER_KEY; while changing it, as MASTER_KEY_PREVIOUS_URI.'
  return has('memory')
    ? 'MASTER_KEY does not match this database. Set the key that the database was created with; if it was replaced, set the earlier one as MASTER_KEY_PREVIOUS.'
    : 'MASTER_KEY wraps the key ring of this database, not the key of MASTER_KEY_URI. Set it as MASTER_KEY_PREVIOUS, and run `vidimus keyring rewrap`.'
}
