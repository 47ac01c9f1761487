import { routes } from '@vidimus/contract'
import { readRequestPost } from '@vidimus/protocol'
import type { Context } from '../context.ts'
import { endpoint, type Endpoint } from '../platform/http/endpoint.ts'
import { Refusal } from '../platform/refusal.ts'
import { acceptResponse } from './wallet/accept-response.ts'
import { findOpenSession } from './wallet/find-open-session.ts'
import { serveRequest } from './wallet/serve-request.ts'

const noStore = { 'cache-control': 'no-store' }

/** JSON has no charset parameter (RFC 8259 §11), and some wallets compare the whole value. */
const plainJson = { ...noStore, 'content-type': 'application/json' }

/** The routes that wallets call. A holder is waiting with a phone in hand, so these are shed last under load. */
export function walletRoutes(ctx: Context): Endpoint[] {
  const openSession = async ({ params }: { params: { sessionId: string } }) =>
    void (await findOpenSession(ctx, params.sessionId))
  return [
    endpoint(
      routes.getWalletRequest,
      async ({ params }) => ({ text: await serveRequest(ctx, { id: params.sessionId }), headers: noStore }),
      { shedLast: true },
    ),
    endpoint(
      routes.postWalletRequest,
      async ({ params, raw }) => {
        const post = readRequestPost(raw)
        if (post === undefined)
          throw new Refusal('invalid_request', 'The form is malformed, or its wallet_nonce is too long.')
        return { text: await serveRequest(ctx, { id: params.sessionId, ...post }), headers: noStore }
      },
      { shedLast: true, admit: openSession },
    ),
    endpoint(
      routes.postWalletResponse,
      async ({ params, raw }) => ({
        text: JSON.stringify(await acceptResponse(ctx, { id: params.sessionId, body: raw })),
        headers: plainJson,
      }),
      { shedLast: true, admit: openSession },
    ),
  ]
}
