import type { Verification } from '@vidimus/contract'
import { requestUri, walletUri } from './wallet/uris.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from './store.ts'

/**
 * The row as the merchant sees it, on every route and in every webhook. The query that reads the row also decides whether a
 * pending session has expired: no job needs to have run. Nothing of a response that is held back is shown (RET-2).
 */
export function viewVerification({ config }: Context, row: SessionRow): Verification {
  const { status, withheld } = row
  return {
    id: row.id,
    status,
    ...(row.template !== null && { template: row.template }),
    ...(status === 'pending' &&
      !withheld && {
        wallet_uri: walletUri(config.BASE_URL, row),
        request_uri: requestUri(config.BASE_URL, row.id),
      }),
    ...(status === 'completed' && row.claims !== null && { claims: row.claims }),
    ...(row.credentials !== null &&
      row.credentials.length > 0 &&
      !withheld && { credentials: row.credentials }),
    ...(status === 'failed' && row.error !== null && { error: row.error }),
    ...(row.metadata !== null && { metadata: row.metadata }),
    ...(row.purpose !== null && { purpose: row.purpose }),
    ...(row.redirect_url !== null && { redirect_url: row.redirect_url }),
    created_at: row.created_at,
    expires_at: row.expires_at,
    ...(row.responded_at !== null && !withheld && { responded_at: row.responded_at }),
  }
}
