import { createHash, randomBytes } from 'node:crypto'
import { buildRedirectUrl, type Outcome } from '@vidimus/protocol'
import type { VerificationContext } from '../context.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { type Policies, getPolicies } from '../../accounts/index.ts'
import { hostFromUrl } from '../../deliveries/index.ts'
import { recordDcError, recordFirstRefusal, type WalletResponseRecord } from './store.ts'
import type { Channel } from './derive-secrets.ts'
import { findOpenSession, type OpenSession } from './find-open-session.ts'
import { recordResponse } from './record-response.ts'
import { allowsScreen } from './require-screen.ts'
import { verifyResponse } from './verify-response.ts'

export type AcceptResponse = { channel: Channel; body: string }

/** More than 128 bits, so that nobody can guess a code while it is valid. */
const responseCode_bytes = 24

/**
 * Accepts a wallet response to an open session: opens and verifies it outside any transaction, then records it with its result, its audit entry
 * and its webhook in one. Anything that is not a response to this session changes nothing. A response to it is final,
 * whatever it contains, except for the first refusal without a reason, and for an unencrypted error of the Digital Credentials
 * API: nothing proves who sent that (DC-11).
 */
export async function acceptResponse(
  ctx: VerificationContext,
  session: OpenSession,
  { channel, body }: AcceptResponse,
): Promise<{ redirect_uri?: string }> {
  const [policies, trust] = await Promise.all([
    getPolicies(ctx, session.tenant_id, session.change_version),
    ctx.trust.scopes.forSession(session),
  ])
  const onOtherDevice = channel.kind === 'screen' || channel.kind === 'age_app_screen'
  if (onOtherDevice && !allowsScreen(session, policies)) throw notFound('session_not_found')
  const verified = await verifyResponse(ctx, session, { channel, body, policies, trust })
  if (verified.kind === 'malformed')
    throw new Refusal('invalid_wallet_response', `This is not a response to the request: ${verified.reason}.`)

  if (verified.kind === 'unbound_error') {
    await recordDcError(ctx.db, session)
    return {}
  }

  // A wallet that scanned a QR code of the page would open the merchant's page on the other device.
  const redirect_url = onOtherDevice ? null : session.redirect_url
  if (
    verified.kind === 'refused' &&
    verified.may_have_other_wallet &&
    (await keepOpenForAnotherWallet(ctx, { ...session, redirect_url }))
  )
    return {}

  const code = redirect_url === null ? undefined : randomBytes(responseCode_bytes).toString('base64url')
  const recorded = await recordResponse(
    ctx.db,
    toResponseRecord(session, { outcome: verified.outcome, policies, code }),
  )
  if (!recorded) return refuseLateResponse(ctx, session.id)
  return redirect_url === null || code === undefined
    ? {}
    : { redirect_uri: buildRedirectUrl(redirect_url, code) }
}

/**
 * Whether the session stays open for another wallet that scans the same QR code: once, and only if no browser waits for a
 * redirect.
 */
async function keepOpenForAnotherWallet(
  { db }: VerificationContext,
  { id, day, redirect_url }: Pick<OpenSession, 'id' | 'day' | 'redirect_url'>,
): Promise<boolean> {
  return redirect_url === null && recordFirstRefusal(db, { day, id })
}

/** Another response won the race, the session expired meanwhile, or it was erased: reading it again shows which. */
async function refuseLateResponse(ctx: VerificationContext, id: string): Promise<never> {
  await findOpenSession(ctx, id)
  // Open again: the clock was set back between the two reads.
  throw new Refusal('overloaded', 'The response could not be recorded. Try again in a moment.', 1)
}

type ResponseDecision = { outcome: Outcome; policies: Policies; code: string | undefined }

function toResponseRecord(
  { id, day, tenant_id, environment, webhook_url, recognises }: OpenSession,
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
    claim_issuers: recognises ? (outcome.claim_issuers ?? null) : null,
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
