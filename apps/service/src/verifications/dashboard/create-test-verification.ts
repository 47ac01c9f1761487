import type {
  CreatedTestVerification,
  CreateTestVerification,
  TemplateTrial,
  TryTemplate,
  Verification,
} from '@vidimus/contract'
import { readRequestPost } from '@vidimus/protocol'
import type { VerificationContext } from '../context.ts'
import { type KeyPrincipal, type Member, type MemberPrincipal, Refusal } from '../../engine/basics/index.ts'
import { requirePersona, respondAsPersona } from '../../trust/index.ts'
import { acceptResponse } from '../wallet/accept-response.ts'
import { createVerification } from '../create/create.ts'
import { readClock } from '../../engine/db/index.ts'
import { getVerification } from '../read/get-verification.ts'
import { findOpenVerification } from '../wallet/find-open-verification.ts'
import { serveRequest } from '../wallet/serve-request.ts'
import { maskCredential } from './show-webhook.ts'

const ttl_seconds = 300

/**
 * Creates a verification in the test environment, as the API would. If a persona is named, the sandbox wallet responds as that
 * persona.
 */
export async function createTestVerification(
  ctx: VerificationContext,
  member: Member | KeyPrincipal,
  { template, parameters, expected, purpose, persona: name }: CreateTestVerification,
): Promise<CreatedTestVerification> {
  const persona = name === undefined ? undefined : requirePersona(name)
  const principal: MemberPrincipal | KeyPrincipal = { ...member, environment: 'test' }
  const sent = {
    template,
    ...(parameters !== undefined && { parameters }),
    ...(expected !== undefined && { expected }),
    ...(purpose !== undefined && { purpose }),
  }
  const created = await createVerification(ctx, principal, {
    body: { ...sent, ttl_seconds },
    sent,
    idempotency_key: undefined,
  })
  const { id, wallet_uri = '' } = JSON.parse(created.text) as Verification // what the API would have sent
  if (persona !== undefined) {
    const now = new Date(await readClock(ctx.db))
    await respondAsPersona(ctx, {
      persona,
      wallet_uri,
      now,
      fetch: (url, init) => callWalletRoute(ctx, url, init),
    })
  }
  return { id, wallet_uri, warnings: created.warnings }
}

/** Tries out a template: returns the outcome when this persona responds. */
export async function tryTemplate(
  ctx: VerificationContext,
  member: Member | KeyPrincipal,
  asked: TryTemplate,
): Promise<TemplateTrial> {
  const { id } = await createTestVerification(ctx, member, asked)
  const {
    status,
    claims,
    error,
    credentials = [],
  } = await getVerification(ctx, { ...member, environment: 'test' }, id)
  return {
    verification_id: id,
    status,
    ...(claims !== undefined && { claims }),
    ...(error !== undefined && { error }),
    credentials: credentials.map(maskCredential),
  }
}

/** Calls the use cases behind the wallet routes directly, so that the wallet in this process needs no network. */
async function callWalletRoute(
  ctx: VerificationContext,
  url: string,
  init?: { method?: string; body?: unknown },
): Promise<Response> {
  const { pathname } = new URL(url)
  const [kind, id = ''] = pathname.split('/').slice(-2)
  const body = typeof init?.body === 'string' ? init.body : ''
  try {
    if (kind === 'response')
      return Response.json(
        await acceptResponse(ctx, await findOpenVerification(ctx, id), {
          channel: { kind: 'redirect' },
          body,
        }),
      )
    const post = init?.method === 'POST' ? readRequestPost(body) : {}
    return new Response(await serveRequest(ctx, { id, ...post }), {
      headers: { 'content-type': 'application/oauth-authz-req+jwt', 'cache-control': 'no-store' },
    })
  } catch (error) {
    // The wallet reads only the status.
    if (error instanceof Refusal) return Response.json({ error: { code: error.code } }, { status: 400 })
    throw error
  }
}
