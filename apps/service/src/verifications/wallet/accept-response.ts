import { createHash, randomBytes } from 'node:crypto'
import { buildRedirectUrl, type Outcome } from '@vidimus/protocol'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { TaskLimitError } from '../../platform/thread-pool.ts'
import { getPolicies, type Policies } from '../../tenants/get-policies.ts'
import { hostFromUrl } from '../../webhooks/event.ts'
import type { VersionedScope } from '../../trust/tenant/scope.ts'
import { recordFirstRefusal, type WalletResponseRecord } from './store.ts'
import { clientId, responseUri } from './uris.ts'
import { deriveSecrets } from './derive-secrets.ts'
import { findOpenSession, type OpenSession } from './find-open-session.ts'
import { recordResponse } from './record-response.ts'
import type { VerifiedResponse } from './verify-thread.ts'

export type AcceptResponse = { id: string; body: string }

/** More than 128 bits, so that nobody can guess a code while it is valid. */
const responseCode_bytes = 24

/**
 * Accepts a wallet response: opens and verifies it outside any transaction, then records it with its result, its audit entry
 * and its webhook in one. Anything that is not a response to this session changes nothing. A response to it is final,
 * whatever it contains, except for the first refusal without a reason.
 */
export async function acceptResponse(
  ctx: Context,
  { id, body }: AcceptResponse,
): Promise<{ redirect_uri?: string }> {
  const session = await findOpenSession(ctx, id)
  const [policies, trust] = await Promise.all([
    getPolicies(ctx, session.tenant_id),
    ctx.trust.scopes.forSession(session),
  ])
  const verified = await verify(ctx, session, { body, policies, trust })
  if (verified.kind === 'malformed')
    throw new Refusal('invalid_wallet_response', `This is not a response to the request: ${verified.reason}.`)

  if (
    verified.kind === 'refused' &&
    verified.may_have_other_wallet &&
    (await keepOpenForAnotherWallet(ctx, session))
  )
    return {}

  const code =
    session.redirect_url === null ? undefined : randomBytes(responseCode_bytes).toString('base64url')
  const recorded = await recordResponse(
    ctx.db,
    toResponseRecord(session, { outcome: verified.outcome, policies, code }),
  )
  if (!recorded) return refuseLateResponse(ctx, id)
  return session.redirect_url === null || code === undefined
    ? {}
    : { redirect_uri: buildRedirectUrl(session.redirect_url, code) }
}

/**
 * Whether the session stays open for another wallet that scans the same QR code: once, and only if no browser waits for a
 * redirect.
 */
async function keepOpenForAnotherWallet(
  { db }: Context,
  { id, day, redirect_url }: OpenSession,
): Promise<boolean> {
  return redirect_url === null && recordFirstRefusal(db, { day, id })
}

/** Another response won the race, the session expired meanwhile, or it was erased: reading it again shows which. */
async function refuseLateResponse(ctx: Context, id: string): Promise<never> {
  await findOpenSession(ctx, id)
  // Open again: the clock was set back between the two reads.
  throw new Refusal('overloaded', 'The response could not be recorded. Try again in a moment.', 1)
}

type VerificationInput = { body: string; policies: Policies; trust: VersionedScope }

async function verify(
  ctx: Context,
  session: OpenSession,
  { body, policies, trust }: VerificationInput,
): Promise<VerifiedResponse> {
  const { nonce, state, encryption_material } = deriveSecrets(ctx.keyring, session.seed)
  const task = {
    body,
    encryption_material,
    request: {
      client_id: clientId(session.certificate),
      nonce,
      state,
      response_uri: responseUri(ctx.config.BASE_URL, session.id),
      created_at: session.created_at_seconds,
      dcql_query: session.query,
      template: session.rules,
    },
    trust: trust.scope,
    trust_version: trust.version,
    status_unavailable: policies.status_unavailable,
    now: session.now_seconds,
  }
  return ctx.verifier
    .run({ owner: session.tenant_id, bytes: body.length, task })
    .catch((error: unknown): VerifiedResponse => {
      // No valid response takes seconds of CPU time. It is final, so that the same response cannot be posted repeatedly.
      if (error instanceof TaskLimitError) return { kind: 'final', outcome: tooCostlyOutcome }
      throw error
    })
}

const tooCostlyOutcome: Outcome = {
  status: 'failed',
  claims: {},
  credentials: [],
  error: {
    code: 'credential_malformed',
    message: 'The response failed the check credential_encoding: it takes too long to check.',
  },
}

type ResponseDecision = { outcome: Outcome; policies: Policies; code: string | undefined }

function toResponseRecord(
  { id, day, tenant_id, environment, webhook_url }: OpenSession,
  { outcome, policies, code }: ResponseDecision,
): WalletResponseRecord {
  return {
    day,
    id,
    tenant_id,
    environment,
    status: outcome.status,
    error: outcome.error ?? null,
    response_code_hash: code === undefined ? null : `\\x${hashResponseCode(code).toString('hex')}`,
    held: policies.hold_back && code !== undefined,
    keep_days: outcome.credentials.length === 0 ? null : policies.retention_days,
    claims: outcome.status === 'completed' ? outcome.claims : null,
    credentials: outcome.credentials,
    forget_on_delivery: policies.forget_on_delivery,
    webhook_url,
    webhook_host: webhook_url === null ? null : hostFromUrl(webhook_url),
  }
}

/** Only the hash of a code is stored (REDEEM-4). A code has 192 random bits, so an unsalted hash reveals nothing. */
export function hashResponseCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
