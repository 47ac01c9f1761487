import { ApiError, PairingError, VidimusError } from '../errors.ts'
import type { Connection } from '../send.ts'
import type { TokenPair } from '../types.ts'
import type { Refresh, StoredTokens, TokenStore } from './token-store.ts'

export type RefreshContext = {
  connection: Connection
  store: TokenStore
  now: () => number
}

const path = '/v1/devices/token'
const pollInterval_ms = 250
/** A lost response costs a pairing, so this request has a longer timeout than others. */
const timeout_ms = 60_000
/** After this time the tab that took the token is presumed dead: the timeout, plus time for a slow tab to store the result. */
const maxWait_ms = timeout_ms + 5000

/**
 * Exchanges the refresh token of the pair `stale` for a new pair, or waits for the tab that is doing so. A refresh token works once, and
 * sending it twice revokes the device. So a tab removes it from the store before sending it, in one durable step: no other tab can
 * send it, and after a crash or a lost response it is gone.
 */
export async function refreshTokens(context: RefreshContext, stale: string): Promise<StoredTokens> {
  const { connection, store, now } = context
  const before = await store.update((found) => found)
  if (before?.pair !== stale || before.refresh.state !== 'ready')
    return waitForOtherTab(context, before, stale)
  await probeService(connection)

  const owner = crypto.randomUUID()
  let taken: string | undefined
  const stored = await store.update((found) => {
    taken = undefined
    if (found?.refresh.state !== 'ready' || found.pair !== stale) return found
    taken = found.refresh.token
    return { ...found, refresh: { state: 'taken', by: owner, at: now() } }
  })
  if (taken === undefined) return waitForOtherTab(context, stored, stale)

  const updateIfOwner = (change: (mine: StoredTokens) => StoredTokens) =>
    // If the device was paired again in the meantime, this response is obsolete.
    store.update((found) => (isOwnedBy(found, owner) ? change(found) : found))
  try {
    const pair = await connection.call<TokenPair>({
      method: 'POST',
      path,
      body: { refresh_token: taken },
      retry: 'never',
      timeout_ms,
    })
    return requireTokens(await updateIfOwner(() => toStoredTokens(pair, now())))
  } catch (error) {
    const reason = error instanceof ApiError && error.status === 400 ? 'refresh_refused' : 'refresh_lost'
    await updateIfOwner((mine) => ({ ...mine, refresh: { state: 'lost', reason } }))
    throw createPairingError(reason, error)
  }
}

/** Converts a new pair for storage. Refreshing starts after two thirds of its lifetime, to leave time for retries. */
export function toStoredTokens(pair: TokenPair, at: number): StoredTokens {
  const lifetime_ms = pair.expires_in * 1000
  return {
    pair: crypto.randomUUID(),
    device: pair.device,
    access_token: pair.access_token,
    refresh_at: at + (lifetime_ms * 2) / 3,
    expires_at: at + lifetime_ms,
    refresh: { state: 'ready', token: pair.refresh_token },
  }
}

/**
 * Sends an invalid request without the token to the same route, to see whether the service responds. The token is sent only if it
 * does: being offline, or a restart of the service, must not cost a pairing.
 */
async function probeService({ call }: Connection): Promise<void> {
  try {
    await call({ method: 'POST', path, body: {}, retry: 'always' })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return
    throw error
  }
  throw new VidimusError(`POST ${path} accepted an empty request. Is baseUrl the address of the service?`)
}

/** Waits for the tab that has the token to store the new pair, unless the token is lost. */
async function waitForOtherTab(
  { connection, store, now }: RefreshContext,
  first: StoredTokens | undefined,
  stale: string,
): Promise<StoredTokens> {
  let stored = first
  for (let waited_ms = 0; stored?.pair === stale; waited_ms += pollInterval_ms) {
    const { refresh } = stored
    if (refresh.state === 'lost') throw createPairingError(refresh.reason)
    const sinceTaken_ms = refresh.state === 'taken' ? now() - refresh.at : 0
    if (Math.max(waited_ms, sinceTaken_ms) > maxWait_ms) throw createPairingError('refresh_lost')
    await connection.sleep(pollInterval_ms)
    stored = await store.update((found) => found)
  }
  return requireTokens(stored)
}

function isOwnedBy(stored: StoredTokens | undefined, owner: string): stored is StoredTokens {
  return stored?.refresh.state === 'taken' && stored.refresh.by === owner
}

function requireTokens(stored: StoredTokens | undefined): StoredTokens {
  if (stored !== undefined) return stored
  throw new PairingError('not_paired', 'This device is not paired. Enter a pairing code.')
}

type LostReason = Extract<Refresh, { state: 'lost' }>['reason']

function createPairingError(reason: LostReason, cause?: unknown): PairingError {
  const explanation =
    reason === 'refresh_refused'
      ? 'The service refused the refresh token: the device was revoked, or the token expired.'
      : 'A refresh token was sent but the response was lost. The token is not sent again, because that would revoke the device.'
  return new PairingError(reason, `${explanation} Pair the device again.`, { cause })
}
