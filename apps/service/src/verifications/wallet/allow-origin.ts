import { isLocalOrigin } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { getHolderPage } from '../../accounts/index.ts'
import {
  findWalletVerification,
  requireOpen,
  type OpenVerification,
  type WalletVerification,
} from './find-open-verification.ts'

type VerificationOfTenant = Pick<WalletVerification, 'tenant_id' | 'environment' | 'change_version'>

type PageCall = {
  params: { sessionId: string }
  header: (name: string) => string | undefined
  setHeader: (name: string, value: string) => void
}

/**
 * The open verification that a page calls about, and the page's origin. Refuses any origin that is not allowed. An allowed page can
 * read errors too, so its origin is checked before the state of the verification (DC-9).
 */
export async function openForPage(
  ctx: Context,
  { params, header, setHeader }: PageCall,
  originIfAbsent?: string,
): Promise<{ verification: OpenVerification; origin: string }> {
  const verification = await findWalletVerification(ctx, params.sessionId)
  const sent = header('origin')
  const origin = sent ?? originIfAbsent
  if (origin === undefined)
    throw new Refusal('wrong_origin', 'The Origin header is missing. Send this request from a page.')
  if (!(await allowsOrigin(ctx, verification, origin)))
    throw new Refusal(
      'wrong_origin',
      'The origin of this page is not allowed. Add it to the allowed origins in the settings.',
    )
  if (sent !== undefined) setHeader('access-control-allow-origin', sent)
  return { verification: await requireOpen(ctx, verification), origin }
}

/** Whether pages of an origin may request credentials for this verification through the Digital Credentials API (DC-9). */
export async function allowsOrigin(
  ctx: Pick<Context, 'config' | 'db'>,
  { tenant_id, environment, change_version }: VerificationOfTenant,
  origin: string,
): Promise<boolean> {
  if (origin === ownOrigin(ctx)) return true
  if (isLocalOrigin(origin) && environment !== 'test') return false
  return (await getHolderPage(ctx, tenant_id, change_version)).page_origins.includes(origin)
}

/** The origin of the service's own page. */
export function ownOrigin({ config }: Pick<Context, 'config'>): string {
  return new URL(config.BASE_URL).origin
}
