import type { Route } from '@vidimus/contract'
import type { Fetch } from '@vidimus/sandbox'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { type Endpoint, endpoint } from '../../engine/http/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { waitPaused } from '../../engine/scheduling/index.ts'
import { respondInSandbox } from './respond.ts'
import { walletPage, type WalletPageNotice } from './page.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = { status: 200, body: z.string(), media: 'text/html; charset=utf-8' } as const
const text = z.string().max(4096)
const formats = z.enum(['dc+sd-jwt', 'mso_mdoc'])
const channels = z.enum(['dc_api', 'annex_c'])

/** Not part of the published API: these routes are for trying things out, and are off in production unless enabled. */
const routes = {
  show: {
    method: 'GET',
    path: '/sandbox/wallet',
    summary: 'The sandbox wallet, for a person',
    query: z.object({ wallet_uri: text.optional(), persona: text.optional() }),
    success: page,
  },
  submit: {
    method: 'POST',
    path: '/sandbox/wallet',
    summary: 'Have the wallet respond',
    form: z.object({
      wallet_uri: text.default(''),
      persona: text.default('adult'),
      fault: text.default(''),
      format: text.default(''),
      channel: text.default(''),
      origin: text.default(''),
    }),
    success: page,
  },
  respond: {
    method: 'POST',
    path: '/sandbox/responses',
    summary: 'The same, for a program',
    json: z.strictObject({
      wallet_uri: text,
      persona: text.default('adult'),
      fault: text.optional(),
      format: formats.optional(),
      channel: channels.optional(),
      origin: text.optional(),
    }),
    success: {
      status: 200,
      body: z.strictObject({
        status: z.string(),
        http_status: z.int().optional(),
        body: z.string().optional(),
        complaints: z.array(z.string()).optional(),
      }),
    },
  },
} as const satisfies Record<string, Route>

export function sandboxRoutes(ctx: Context, fetch: Fetch): Endpoint[] {
  return [
    endpoint(routes.show, async ({ query }) => ({
      text: walletPage(
        {
          ...(query.wallet_uri !== undefined && { wallet_uri: query.wallet_uri }),
          ...(query.persona !== undefined && { persona: query.persona }),
        },
        undefined,
      ),
      headers: { 'content-security-policy': policy },
    })),
    endpoint(routes.submit, async ({ body }) => ({
      text: walletPage(body, await respondForPage(ctx, body, fetch)),
      headers: { 'content-security-policy': policy },
    })),
    endpoint(routes.respond, async ({ body }) => ({ body: await respondInSandbox(ctx, body, fetch) })),
  ]
}

type Form = Record<'wallet_uri' | 'persona' | 'fault' | 'format' | 'channel' | 'origin', string>

/** A refusal becomes a sentence on the page, not an error response. */
async function respondForPage(
  ctx: Context,
  { wallet_uri, persona, fault, format, channel, origin }: Form,
  fetch: Fetch,
): Promise<WalletPageNotice> {
  try {
    const response = await respondInSandbox(
      ctx,
      {
        wallet_uri: wallet_uri.trim(),
        persona,
        fault: fault === '' ? undefined : fault,
        format: formats.safeParse(format).data,
        channel: channels.safeParse(channel).data,
        origin: origin.trim() === '' ? undefined : origin.trim(),
      },
      fetch,
    )
    return { response }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }
}

/** A fetch that reaches only this process, without the network. Rejects every URL outside the wallet routes. */
export function fetchFromSelf({ config }: Context, app: FastifyInstance): Fetch {
  return async (url, { method, headers, body }) => {
    if (!url.startsWith(`${config.BASE_URL}/wallet/`))
      throw new Error('The sandbox wallet can reach only this service.')
    const injected = app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: url.slice(config.BASE_URL.length),
      headers,
      ...(body !== undefined && { payload: body }),
    })
    // It has the same owner as the request that waits for it.
    const response = await waitPaused(injected)
    return {
      status: response.statusCode,
      headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
      text: () => Promise.resolve(response.payload),
    }
  }
}
