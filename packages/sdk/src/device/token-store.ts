import type { Device } from '../types.ts'

/** What a paired device keeps. Times are the device's own, in milliseconds. */
export type StoredTokens = {
  /** Names this pair. Access tokens cannot: two that were made in the same second may be alike. */
  pair: string
  device: Device
  access_token: string
  /** From here on a refresh is tried; until `expires_at` the token still serves if that fails. */
  refresh_at: number
  expires_at: number
  refresh: Refresh
}

/** The refresh token is in one place: here while it is `ready`, and with the one that took it once it is `taken`. */
export type Refresh =
  | { state: 'ready'; token: string }
  | { state: 'taken'; by: string; at: number }
  | { state: 'lost'; reason: 'refresh_lost' | 'refresh_refused' }

/**
 * Where tokens are kept. `update` reads, changes and writes as one step that no other tab or process can come between, and resolves
 * with what is stored once that is durable: a crash afterwards must not bring the former value back. `change` may be called
 * more than once; the last call counts.
 */
export type TokenStore = {
  update(
    change: (stored: StoredTokens | undefined) => StoredTokens | undefined,
  ): Promise<StoredTokens | undefined>
}

/** For one process, and until it ends: for tests, and for devices that are paired at every start. */
export function memoryStore(): TokenStore {
  let stored: StoredTokens | undefined
  return {
    async update(change) {
      stored = change(stored)
      return stored
    },
  }
}
