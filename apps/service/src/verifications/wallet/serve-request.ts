import { buildRequest, makeEncryptionKey, signRequest } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { getIdentity } from '../../trust/index.ts'
import { deriveSecrets } from './derive-secrets.ts'
import { type OpenVerification, findOpenVerification, requireScreen } from './find-open-verification.ts'
import { loadWalletQuery } from './load-query.ts'
import { requireFreshCode } from './moving-code.ts'
import { type FetchCount, addFetchCounts } from './store.ts'
import { type RequestVia, responseUri } from './uris.ts'

type ServeRequest = {
  id: string
  via?: RequestVia | undefined
  /** When the QR code that led here was on the screen, if it is replaced from time to time. */
  shown_at?: number
  wallet_nonce?: string
}

/**
 * The signed request object. It can be fetched any number of times while the verification is open and is always the same except
 * for its `iat` and the wallet's nonce: everything else is derived from the verification's seed.
 */
export async function serveRequest(
  ctx: Context,
  { id, via, shown_at, wallet_nonce }: ServeRequest,
): Promise<string> {
  const verification = await findOpenVerification(ctx, id)
  if (shown_at !== undefined) requireFreshCode(shown_at, verification.now_seconds)
  if (via === 'screen') await requireScreen(ctx, verification)
  const identity = await getIdentity(ctx, verification.certificate)
  const { nonce, state, encryption_material } = deriveSecrets(ctx.keyring, verification.seed, {
    kind: via ?? 'redirect',
  })
  const request = buildRequest({
    client_id: identity.client_id,
    response_uri: responseUri(ctx.config.BASE_URL, id, via),
    nonce,
    state,
    dcql_query: await loadWalletQuery(ctx, verification),
    encryption_jwk: makeEncryptionKey(encryption_material).jwk,
    issued_at: Math.floor(verification.now_seconds),
    expires_at: verification.expires_at_seconds,
    ...(verification.purpose !== null && { purpose: verification.purpose }),
    ...(wallet_nonce !== undefined && { wallet_nonce }),
    ...(identity.verifier_info !== undefined && { verifier_info: identity.verifier_info }),
  })
  const signed = await signRequest(request, identity, identity.sign)
  countFetch(ctx, verification)
  return signed
}

const flushDelay_ms = 500
const maxVerifications = 10_000
const pendingCounts = new WeakMap<Context['db'], Map<string, FetchCount>>()

/**
 * Counts a fetch of the request object for the verification's timeline: best effort, many in one statement. The wallet never waits
 * for it, and a process that dies loses at most half a second of counts.
 */
function countFetch({ db, log }: Context, { day, id, now_seconds: at }: OpenVerification): void {
  let fetches = pendingCounts.get(db)
  if (fetches === undefined) {
    const batch = new Map<string, FetchCount>()
    fetches = batch
    pendingCounts.set(db, batch)
    setTimeout(() => {
      pendingCounts.delete(db)
      addFetchCounts(db, [...batch.values()]).catch((error: unknown) =>
        log.warn({ err: error }, 'fetches were not counted'),
      )
    }, flushDelay_ms).unref()
  }
  const count = (fetches.get(id)?.count ?? 0) + 1
  if (fetches.size < maxVerifications) fetches.set(id, { day, id, count, at })
}
