import type { Device } from '../types.ts'

/** The stored state of a paired device. Times are in milliseconds by the device's clock. */
export type StoredTokens = {
  /** Identifies this pair. Access tokens cannot: two issued in the same second may be identical. */
  pair: string
  device: Device
  access_token: string
  /** From this time the client tries to refresh. If that fails, the token is used until `expires_at`. */
  refresh_at: number
  expires_at: number
  refresh: Refresh
}

/** The refresh token exists in one place only: here while `ready`, and in the tab that took it while `taken`. */
export type Refresh =
  | { state: 'ready'; token: string }
  | { state: 'taken'; by: string; at: number }
  | { state: 'lost'; reason: 'refresh_lost' | 'refresh_refused' }

/**
 * Storage for tokens. `update` must be atomic across tabs and processes, and must resolve with the stored value only once it is
 * durable: a crash afterwards must not restore the previous value. `change` may be called more than once; the last call counts.
 */
export type TokenStore = {
  update(
    change: (stored: StoredTokens | undefined) => StoredTokens | undefined,
  ): Promise<StoredTokens | undefined>
}

/** Stores tokens in memory, for tests and for devices that are paired at every start. */
export function memoryStore(): TokenStore {
  let stored: StoredTokens | undefined
  return {
    async update(change) {
      stored = change(stored)
      return stored
    },
  }
}
