import type { DeviceClient, TillSettings, TokenStore } from '@vidimus/sdk'
import { readStored, writeStored } from '../device/storage.ts'
import type { PinProblem } from '../state/till-state.ts'

export type SettingsStore = {
  /** The settings that were read last, for a start without a connection. */
  last: () => TillSettings | undefined
  /** Reads the settings and stores them. Undefined if they could not be read now, or were just before. */
  refresh: () => Promise<TillSettings | undefined>
  /** The next refresh reads them, however short ago the last one was. */
  expire: () => void
  keepAwake: () => boolean | undefined
  storeKeepAwake: (awake: boolean) => void
}

/** The home screen is shown after every check. */
const refreshInterval_ms = 60_000

const timeout_ms = 10_000

export type SettingsOptions = {
  storeName: string
  tokens: TokenStore
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * Reads the settings with the access token as it is. The SDK would renew an expired one, and a tab that is closed while it does must be
 * paired again: that risk is taken for a check only, after which the settings are read.
 */
export function openSettings({ storeName, tokens, fetch }: SettingsOptions): SettingsStore {
  const keys = { settings: `${storeName}-settings`, awake: `${storeName}-awake` }
  let read_ms = -refreshInterval_ms
  return {
    last: () => parse(readStored(keys.settings)),
    async refresh() {
      if (performance.now() - read_ms < refreshInterval_ms) return undefined
      try {
        const stored = await tokens.update((found) => found)
        if (stored === undefined) return undefined
        const response = await fetch('/v1/devices/till', {
          headers: { authorization: `Bearer ${stored.access_token}` },
          signal: AbortSignal.timeout(timeout_ms),
        })
        if (!response.ok) return undefined
        const settings = (await response.json()) as TillSettings // as the contract says
        read_ms = performance.now()
        writeStored(keys.settings, JSON.stringify(settings))
        return settings
      } catch {
        return undefined // No connection, which others notice.
      }
    },
    expire: () => (read_ms = -refreshInterval_ms),
    keepAwake() {
      const stored = readStored(keys.awake)
      return stored === undefined ? undefined : stored === 'on'
    },
    storeKeepAwake: (awake) => writeStored(keys.awake, awake ? 'on' : 'off'),
  }
}

function parse(stored: string | undefined): TillSettings | undefined {
  try {
    return stored === undefined ? undefined : (JSON.parse(stored) as TillSettings) // written by `refresh`
  } catch {
    return undefined // Somebody else wrote it.
  }
}

/** Undefined if the PIN is right. */
export async function findPinProblem(
  client: Pick<DeviceClient, 'checkPin'>,
  pin: string,
): Promise<PinProblem | undefined> {
  try {
    const { correct, tries_left, locked_seconds } = await client.checkPin(pin)
    if (correct) return undefined
    if (locked_seconds === undefined) return { kind: 'wrong', tries_left }
    return { kind: 'locked', locked_until_ms: performance.now() + locked_seconds * 1000 }
  } catch {
    return { kind: 'not_checked' } // No connection, or a fault of the service.
  }
}
