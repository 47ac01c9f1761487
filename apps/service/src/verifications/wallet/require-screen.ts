import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { type Policies, getPolicies } from '../../accounts/index.ts'
import type { WalletSessionRow } from './store.ts'

type RedirectingSession = Pick<
  WalletSessionRow,
  'tenant_id' | 'redirect_url' | 'same_device' | 'change_version'
>

/**
 * Whether the holder's page may show a QR code for this session. A result that is held back waits for the code that the
 * redirect brings back, and a response to a QR code on another device gets no redirect: nobody could ever redeem it. An OpenID client
 * that recognises people would sign in whoever passed the QR code on.
 */
export function allowsScreen(
  { redirect_url, same_device }: Pick<RedirectingSession, 'redirect_url' | 'same_device'>,
  { hold_back }: Pick<Policies, 'hold_back'>,
): boolean {
  return redirect_url === null || !(hold_back || same_device)
}

/** Refuses the addresses of the QR code where the page would not show it, as if the session did not exist. */
export async function requireScreen(ctx: Context, session: RedirectingSession): Promise<void> {
  if (session.redirect_url === null) return
  const policies = await getPolicies(ctx, session.tenant_id, session.change_version)
  if (!allowsScreen(session, policies)) throw notFound('session_not_found')
}
