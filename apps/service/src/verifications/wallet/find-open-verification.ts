import { type Policies, getPolicies } from '../../accounts/index.ts'
import { Refusal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { isAbout } from '../../engine/scheduling/index.ts'
import { type Database, coalescePerTarget } from '../../engine/db/index.ts'
import { readByDay } from '../read/list-verifications.ts'
import { type VerificationQuery, loadQuery } from './load-query.ts'
import { type WalletVerificationRow, readWalletVerifications } from './store.ts'

/** A verification in any state. */
export type WalletVerification = WalletVerificationRow & { day: string }

/** A verification as the wallet routes need it: still open, with its seed and its query. */
export type OpenVerification = Omit<WalletVerificationRow, 'seed' | 'query'> & {
  day: string
  seed: Buffer
  /** Whether it has a query of its own instead of its template's. */
  own_query: boolean
} & VerificationQuery

/** The open verification that a wallet names by its id. */
export async function findOpenVerification(ctx: Context, id: string): Promise<OpenVerification> {
  return requireOpen(ctx, await findWalletVerification(ctx, id))
}

/** The verification that a wallet or a page names by its id, open or not. */
export async function findWalletVerification(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<WalletVerification> {
  const day = dayOfVerificationId(id)
  const row = day === undefined ? undefined : await readWalletVerification(db, { day, id })
  if (row === undefined || day === undefined) throw notFound('session_not_found')
  isAbout(row)
  return { ...row, day }
}

/**
 * Refuses a verification that is no longer open. "Already responded" takes precedence over "expired": a holder who responded in time and
 * tries again gets the former (WREQ-3, WRES-3).
 */
export async function requireOpen(ctx: Context, verification: WalletVerification): Promise<OpenVerification> {
  if (verification.responded)
    throw new Refusal('session_already_responded', 'A wallet has already responded to this verification.')
  // The seed is deleted soon after the verification has expired, and never before.
  const { expired, seed } = verification
  if (expired || seed === null) throw new Refusal('session_expired', 'This verification has expired.')
  return {
    ...verification,
    seed,
    own_query: verification.query !== null,
    ...(await loadQuery(ctx, verification)),
  }
}

const readWalletVerification = coalescePerTarget<
  Database,
  { day: string; id: string },
  WalletVerificationRow | undefined
>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (group, onDay) => readWalletVerifications(db, group, onDay)),
})

type RedirectingVerification = Pick<
  WalletVerificationRow,
  'tenant_id' | 'redirect_url' | 'same_device' | 'change_version'
>

/**
 * Whether the holder's page may show a QR code. A result that is held back is released by the code in the redirect, and a response to
 * a QR code on another device gets no redirect: nobody could ever redeem it. For an OpenID client that recognises people, a person who
 * passes the QR code on would be signed in as the person who scans it.
 */
export function allowsScreen(
  { redirect_url, same_device }: Pick<RedirectingVerification, 'redirect_url' | 'same_device'>,
  { hold_back }: Pick<Policies, 'hold_back'>,
): boolean {
  return redirect_url === null || !(hold_back || same_device)
}

/** Refuses the URLs of the QR code if the page would not show it, as if the verification did not exist. */
export async function requireScreen(ctx: Context, verification: RedirectingVerification): Promise<void> {
  if (verification.redirect_url === null) return
  const policies = await getPolicies(ctx, verification.tenant_id, verification.change_version)
  if (!allowsScreen(verification, policies)) throw notFound('session_not_found')
}
