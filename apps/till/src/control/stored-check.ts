import { readStored, writeStored } from '../device/storage.ts'
import type { Check } from '../state/till-state.ts'

/**
 * The check whose verification may be open. It outlasts a crash, so that the next start can close it. `pressed_at` is by the clock of the
 * service. Without an `id`, the tab died before it had the response to its request.
 */
export type StoredCheck = Pick<Check, 'key' | 'template' | 'purpose'> & { pressed_at: number; id?: string }

export type CheckStore = {
  read: () => StoredCheck | undefined
  write: (check: StoredCheck) => void
  /** Only if it is still this one: another tab may have the turn by now. */
  clear: (key: string) => void
}

export function openCheckStore(storeName: string): CheckStore {
  const name = `${storeName}-open`
  const read = () => parseCheck(readStored(name))
  return {
    read,
    write: (check) => writeStored(name, JSON.stringify(check)),
    clear(key) {
      if (read()?.key === key) writeStored(name, undefined)
    },
  }
}

function parseCheck(text: string | undefined): StoredCheck | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as StoredCheck // Only this file writes it.
  } catch {
    return undefined // Half a text, or one of an earlier release.
  }
}
