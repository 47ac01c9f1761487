import { routes } from '@vidimus/contract'
import { readDcChannel, readRequestPost } from '@vidimus/protocol'
import type { VerificationContext } from './context.ts'
import { type Endpoint, type ErrorPage, endpoint } from '../engine/http/index.ts'
import { Refusal } from '../engine/basics/index.ts'
import { acceptResponse } from './wallet/accept-response.ts'
import { allowsOrigin, openForPage, ownOrigin } from './wallet/allow-origin.ts'
import { findOpenVerification, findWalletVerification } from './wallet/find-open-verification.ts'
import { readCode } from './wallet/moving-code.ts'
import { serveDcRequests } from './wallet/serve-dc-requests.ts'
import { serveRequest } from './wallet/serve-request.ts'

const noStore = { 'cache-control': 'no-store' }

/** JSON has no charset parameter (RFC 8259 §11), and some wallets compare the whole value. */
const plainJson = { ...noStore, 'content-type': 'application/json' }

/**
 * The routes that wallets call. A holder is waiting with a phone in hand, so these are shed last under load. `oldCodePage` is for people
 * whose camera opened a code in a browser.
 */
export function walletRoutes(
  ctx: VerificationContext,
  { oldCodePage }: { oldCodePage: ErrorPage },
): Endpoint[] {
  const openVerification = ({ params }: { params: { sessionId: string } }) =>
    requireOpenVerification(ctx, params.sessionId)
  return [
    endpoint(
      routes.getWalletRequest,
      async ({ params, query }) => ({
        text: await serveRequest(ctx, { id: params.sessionId, via: query.via }),
        headers: noStore,
      }),
      { shedLast: true },
    ),
    endpoint(
      routes.postWalletRequest,
      async ({ params, query, raw }) => ({
        text: await serveRequest(ctx, { id: params.sessionId, via: query.via, ...readPost(raw) }),
        headers: noStore,
      }),
      { shedLast: true, admit: openVerification },
    ),
    endpoint(
      routes.getCodeRequest,
      async ({ params }) => ({
        text: await serveRequest(ctx, { ...readCode(ctx, params.code), via: 'screen' }),
        headers: noStore,
      }),
      { shedLast: true, errorPage: oldCodePage },
    ),
    endpoint(
      routes.postCodeRequest,
      async ({ params, raw }) => ({
        text: await serveRequest(ctx, { ...readCode(ctx, params.code), via: 'screen', ...readPost(raw) }),
        headers: noStore,
      }),
      { shedLast: true, admit: ({ params }) => requireOpenVerification(ctx, readCode(ctx, params.code).id) },
    ),
    endpoint(
      routes.postWalletResponse,
      async ({ params, query, raw }) => {
        const channel = { kind: query.via ?? 'redirect' } as const
        const verification = await findOpenVerification(ctx, params.sessionId)
        const redirect = await acceptResponse(ctx, verification, { channel, body: raw })
        return { text: JSON.stringify(redirect), headers: plainJson }
      },
      { shedLast: true, admit: openVerification },
    ),
    ...dcApiRoutes(ctx),
  ]
}

/** The routes that a page calls for the browser's Digital Credentials API. */
function dcApiRoutes(ctx: VerificationContext): Endpoint[] {
  const allowsPage = async ({ params }: { params: { sessionId: string } }, origin: string) =>
    allowsOrigin(ctx, await findWalletVerification(ctx, params.sessionId), origin)
  return [
    endpoint(
      routes.getDcRequests,
      async (call) => {
        // A browser sends no Origin with a GET from a page of the same origin.
        const { verification, origin } = await openForPage(ctx, call, ownOrigin(ctx))
        return { body: await serveDcRequests(ctx, verification, origin), headers: noStore }
      },
      { shedLast: true, allowsOrigin: allowsPage },
    ),
    endpoint(
      routes.postDcResponse,
      async (call) => {
        const { verification, origin } = await openForPage(ctx, call)
        const kind = readDcChannel(call.body['protocol'])
        if (kind === undefined)
          throw new Refusal('invalid_wallet_response', 'protocol must be one of those that were requested.')
        const redirect = await acceptResponse(ctx, verification, {
          channel: { kind, origin },
          body: call.raw,
        })
        return { text: JSON.stringify(redirect), headers: plainJson }
      },
      {
        shedLast: true,
        // A page must be able to read this refusal too.
        admit: async (call) => void (await openForPage(ctx, call)),
        allowsOrigin: allowsPage,
      },
    ),
  ]
}

function readPost(raw: string): { wallet_nonce?: string } {
  const post = readRequestPost(raw)
  if (post === undefined)
    throw new Refusal('invalid_request', 'The form is malformed, or its wallet_nonce is too long.')
  return post
}

async function requireOpenVerification(ctx: VerificationContext, id: string): Promise<void> {
  await findOpenVerification(ctx, id)
}
