import { ApiError, PairingError } from '../errors.ts'
import { connect, type Call, type Connection, type ConnectOptions } from '../send.ts'
import type {
  Device,
  PinCheck,
  PresentFromReader,
  ReaderRequest,
  RequestFromReader,
  TillSettings,
  TokenPair,
  VerificationStatus,
} from '../types.ts'
import {
  createVerificationsApi,
  verificationPath,
  type CallOptions,
  type Verifications,
} from '../verifications.ts'
import { toStoredTokens, refreshTokens } from './refresh.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

export type DeviceClientOptions = ConnectOptions & {
  /** `indexedDbStore()` in a browser. A store belongs to one device and is shared by all of its tabs. */
  store: TokenStore
  /** Milliseconds since 1970. Default: the runtime's clock. */
  now?: (() => number) | undefined
}

export type DeviceState =
  | { status: 'unpaired' }
  | { status: 'paired'; device: Device }
  /** The access token may work for a while; after that, someone must enter a pairing code. */
  | { status: 'pair_again'; device: Device; reason: 'refresh_lost' | 'refresh_refused' }

export type DeviceClient = {
  /** Exchanges a pairing code for tokens and stores them, replacing any stored ones. */
  pair(pairing_code: string): Promise<Device>
  state(): Promise<DeviceState>
  /** Deletes the stored tokens. The device stays registered until it is revoked. */
  forget(): Promise<void>
  /** A device may use its allowed templates and read its own verifications. */
  verifications: Omit<Verifications, 'delete'>
  /** What this device shows and does between checks, if it is a till. */
  till(options?: CallOptions): Promise<TillSettings>
  /** Whether this is the PIN of the till. Wrong ones are counted, so the request is not retried if its response is lost. */
  checkPin(pin: string, options?: CallOptions): Promise<PinCheck>
  /** For a device that reads wallets nearby itself (ISO/IEC 18013-5). */
  reader: {
    /** The request for this session with a wallet, signed by the service. */
    request(id: string, session: RequestFromReader, options?: CallOptions): Promise<ReaderRequest>
    /** Presents what the wallet returned. It counts once, so the request is not retried if its response is lost. */
    present(id: string, presentation: PresentFromReader, options?: CallOptions): Promise<VerificationStatus>
  }
}

/** Creates a client for a till or tablet. It refreshes its tokens and never sends a refresh token twice, whatever fails. */
export function createDeviceClient(options: DeviceClientOptions): DeviceClient {
  const { store, now = Date.now } = options
  const connection = connect(options)
  const context = { connection, store, now }
  let refreshing: Promise<StoredTokens> | undefined

  /** One refresh at a time in this tab; the store coordinates the tabs. */
  function refresh(stale: string): Promise<StoredTokens> {
    refreshing ??= refreshTokens(context, stale).finally(() => (refreshing = undefined))
    return refreshing
  }

  async function accessToken(): Promise<string> {
    const stored = await store.update((found) => found)
    if (stored === undefined)
      throw new PairingError('not_paired', 'This device is not paired. Enter a pairing code.')
    // While another tab has the refresh token, or it is lost, the access token is used until it expires.
    const usableUntil = stored.refresh.state === 'ready' ? stored.refresh_at : stored.expires_at
    if (now() < usableUntil) return stored.access_token
    try {
      return (await refresh(stored.pair)).access_token
    } catch (error) {
      if (now() < stored.expires_at) return stored.access_token
      throw error
    }
  }

  /** The device's clock may be wrong, so a token that the service calls expired is refreshed too. */
  async function call<Body>(request: Call): Promise<Body> {
    try {
      return await connection.call<Body>(request)
    } catch (error) {
      const expired = error instanceof ApiError && error.code === 'api_key_expired'
      if (!expired || request.bearer === undefined) throw error
      const stored = await store.update((found) => found)
      const replaced = stored === undefined || stored.access_token !== request.bearer
      const bearer = replaced ? await accessToken() : (await refresh(stored.pair)).access_token
      return connection.call<Body>({ ...request, bearer })
    }
  }

  return {
    verifications: createVerificationsApi({ ...connection, call }, accessToken),
    till: async ({ signal } = {}) =>
      call({ method: 'GET', path: '/v1/devices/till', bearer: await accessToken(), retry: 'always', signal }),
    checkPin: async (pin, { signal } = {}) =>
      call({
        method: 'POST',
        path: '/v1/devices/till/pin',
        bearer: await accessToken(),
        body: { pin },
        retry: 'unless_lost',
        signal,
      }),
    reader: {
      request: async (id, body, { signal } = {}) =>
        call({
          method: 'POST',
          path: `${verificationPath(id)}/reader-requests`,
          bearer: await accessToken(),
          body,
          retry: 'always',
          signal,
        }),
      present: async (id, body, { signal } = {}) =>
        call({
          method: 'POST',
          path: `${verificationPath(id)}/presentations`,
          bearer: await accessToken(),
          body,
          retry: 'unless_lost',
          signal,
        }),
    },
    pair: async (pairing_code) => {
      const pair = await enroll(connection, pairing_code)
      await store.update(() => toStoredTokens(pair, now()))
      return pair.device
    },
    state: async () => toDeviceState(await store.update((found) => found)),
    forget: async () => void (await store.update(() => undefined)),
  }
}

function enroll({ call }: Connection, pairing_code: string): Promise<TokenPair> {
  return call({ method: 'POST', path: '/v1/devices/enroll', body: { pairing_code }, retry: 'unless_lost' })
}

function toDeviceState(stored: StoredTokens | undefined): DeviceState {
  if (stored === undefined) return { status: 'unpaired' }
  const { device, refresh } = stored
  if (refresh.state === 'lost') return { status: 'pair_again', device, reason: refresh.reason }
  return { status: 'paired', device }
}
