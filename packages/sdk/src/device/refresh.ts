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
/** A lost answer costs a pairing, so this one is waited for longer than others. */
const timeout_ms = 60_000
/** After that, a token that was taken will not be followed by another: time for the answer, and for a slow tab to write it down. */
const maxWait_ms = timeout_ms + 5000

/**
 * Exchanges the refresh token of the pair `stale` for a new pair, or waits for whoever is doing so. A refresh token works once, and presenting it twice
 * revokes the device. So it is taken out of the store before it is sent, in one durable step: whoever took it is the only one
 * who has it, and after a crash or a lost answer nobody has.
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
    // Somebody may have paired the device anew meanwhile: then this answer is about the past.
    store.update((found) => (isOwnedBy(found, owner) ? change(found) : found))
  try {
    const pair = await connection.call<TokenPair>({
      method: 'POST',
      path,
      body: { refresh_token: taken },
      repeat: 'never',
      timeout_ms,
    })
    return requireTokens(await updateIfOwner(() => toStoredTokens(pair, now())))
  } catch (error) {
    const reason = error instanceof ApiError && error.status === 400 ? 'refresh_refused' : 'refresh_lost'
    await updateIfOwner((mine) => ({ ...mine, refresh: { state: 'lost', reason } }))
    throw createPairingError(reason, error)
  }
}

/** What is kept of a new pair. A third of its life is left for trying again when the service cannot be reached. */
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
 * Asks the very route for something that it refuses, without the token. While this fails the token is not risked: being offline, or
 * a service that is restarting, must not cost a pairing.
 */
async function probeService({ call }: Connection): Promise<void> {
  try {
    await call({ method: 'POST', path, body: {}, repeat: 'always' })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return
    throw error
  }
  throw new VidimusError(`POST ${path} accepted an empty request: this is not the service`)
}

/** Another tab has the token: its answer will be in the store, unless it was lost. */
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
      ? 'The service refused the refresh token: the device was revoked, or was away for too long.'
      : 'A refresh token was sent and its answer was lost. It is not sent again, because that would revoke the device.'
  return new PairingError(reason, `${explanation} Pair the device again.`, { cause })
}
