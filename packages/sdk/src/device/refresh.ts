import { ApiError, PairingError, VidimusError } from '../errors.ts'
import type { Connection } from '../send.ts'
import type { TokenPair } from '../types.ts'
import type { Refresh, StoredTokens, TokenStore } from './token-store.ts'

export type RefreshDevice = {
  connection: Connection
  store: TokenStore
  now: () => number
}

const path = '/v1/devices/token'
const lookEveryMs = 250
/** A lost answer costs a pairing, so this one is waited for longer than others. */
const timeoutMs = 60_000
/** After that, a token that was taken will not be followed by another: time for the answer, and for a slow tab to write it down. */
const patienceMs = timeoutMs + 5000

/**
 * Exchanges the refresh token of the pair `stale` for a new pair, or waits for whoever is doing so. A refresh token works once, and presenting it twice
 * revokes the device. So it is taken out of the store before it is sent, in one durable step: whoever took it is the only one
 * who has it, and after a crash or a lost answer nobody has.
 */
export async function refreshTokens(context: RefreshDevice, stale: string): Promise<StoredTokens> {
  const { connection, store, now } = context
  const before = await store.update((found) => found)
  if (before?.pair !== stale || before.refresh.state !== 'ready') return follow(context, before, stale)
  await makeSureOfTheService(connection)

  const claim = crypto.randomUUID()
  let taken: string | undefined
  const stored = await store.update((found) => {
    taken = undefined
    if (found?.refresh.state !== 'ready' || found.pair !== stale) return found
    taken = found.refresh.token
    return { ...found, refresh: { state: 'taken', by: claim, at: now() } }
  })
  if (taken === undefined) return follow(context, stored, stale)

  const settle = (change: (mine: StoredTokens) => StoredTokens) =>
    // Somebody may have paired the device anew meanwhile: then this answer is about the past.
    store.update((found) => (isTakenBy(found, claim) ? change(found) : found))
  try {
    const pair = await connection.call<TokenPair>({
      method: 'POST',
      path,
      body: { refresh_token: taken },
      repeat: 'never',
      timeoutMs,
    })
    return tokensOf(await settle(() => keep(pair, now())))
  } catch (error) {
    const reason = error instanceof ApiError && error.status === 400 ? 'refresh_refused' : 'refresh_lost'
    await settle((mine) => ({ ...mine, refresh: { state: 'lost', reason } }))
    throw pairAgain(reason, error)
  }
}

/** What is kept of a new pair. A third of its life is left for trying again when the service cannot be reached. */
export function keep(pair: TokenPair, at: number): StoredTokens {
  const lifeMs = pair.expires_in * 1000
  return {
    pair: crypto.randomUUID(),
    device: pair.device,
    access_token: pair.access_token,
    refresh_at: at + (lifeMs * 2) / 3,
    expires_at: at + lifeMs,
    refresh: { state: 'ready', token: pair.refresh_token },
  }
}

/**
 * Asks the very route for something that it refuses, without the token. While this fails the token is not risked: being offline, or
 * a service that is restarting, must not cost a pairing.
 */
async function makeSureOfTheService({ call }: Connection): Promise<void> {
  try {
    await call({ method: 'POST', path, body: {}, repeat: 'always' })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return
    throw error
  }
  throw new VidimusError(`POST ${path} accepted an empty request: this is not the service`)
}

/** Another tab has the token: its answer will be in the store, unless it was lost. */
async function follow(
  { connection, store, now }: RefreshDevice,
  first: StoredTokens | undefined,
  stale: string,
): Promise<StoredTokens> {
  let stored = first
  for (let waitedMs = 0; stored?.pair === stale; waitedMs += lookEveryMs) {
    const { refresh } = stored
    if (refresh.state === 'lost') throw pairAgain(refresh.reason)
    const sinceMs = refresh.state === 'taken' ? now() - refresh.at : 0
    if (Math.max(waitedMs, sinceMs) > patienceMs) throw pairAgain('refresh_lost')
    await connection.sleep(lookEveryMs)
    stored = await store.update((found) => found)
  }
  return tokensOf(stored)
}

function isTakenBy(stored: StoredTokens | undefined, claim: string): stored is StoredTokens {
  return stored?.refresh.state === 'taken' && stored.refresh.by === claim
}

function tokensOf(stored: StoredTokens | undefined): StoredTokens {
  if (stored !== undefined) return stored
  throw new PairingError('not_paired', 'This device is not paired. Enter a pairing code.')
}

type Lost = Extract<Refresh, { state: 'lost' }>['reason']

function pairAgain(reason: Lost, cause?: unknown): PairingError {
  const why =
    reason === 'refresh_refused'
      ? 'The service refused the refresh token: the device was revoked, or was away for too long.'
      : 'A refresh token was sent and its answer was lost. It is not sent again, because that would revoke the device.'
  return new PairingError(reason, `${why} Pair the device again.`, { cause })
}
