import { createHash, randomBytes } from 'node:crypto'
import { type Outcome, buildRedirectUrl } from '@vidimus/protocol'
import { type Policies, getPolicies, getSealing } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import { announceEvents, hostFromUrl } from '../../deliveries/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { type Database, coalescePerTarget, failedBeforeCommit } from '../../engine/db/index.ts'
import { traced } from '../../engine/observability/index.ts'
import { TaskLimitError } from '../../engine/threads/index.ts'
import type { VersionedScope } from '../../trust/index.ts'
import type { VerificationContext } from '../context.ts'
import { eraseMatches } from '../erasure-requests/erase-matches.ts'
import { receiptSalt_bytes, renderReceipt } from '../receipts/render-receipt.ts'
import { requireAgeAppQuery } from './age-app.ts'
import { dayInZone } from './day-in-zone.ts'
import type { Channel } from './derive-secrets.ts'
import { type OpenVerification, allowsScreen, findOpenVerification } from './find-open-verification.ts'
import {
  type WalletResponseRecord,
  recordAttempt,
  recordDcError,
  recordFirstRefusal,
  recordResponses,
  recordUnreadable,
} from './store.ts'
import { pageUrl } from './uris.ts'
import type { VerifiedResponse, VerifyTask } from './verify-thread.ts'

type AcceptResponse = { channel: Channel; body: string }

/** More than 128 bits, so that nobody can guess a code while it is valid. */
const responseCode_bytes = 24
/** How often a wallet may respond to a verification with what cannot be read. The next such response is final. */
export const maxUnreadableResponses = 3

/**
 * Accepts a wallet response to an open verification: opens and verifies it outside any transaction, then records it with its result, its audit entry
 * and its webhook in one. Anything that is not a response to this verification changes nothing. A response to it is final,
 * whatever it contains, except for the first refusal without a reason, for a few that cannot be read, for one that failed if several may
 * be sent, and for an unencrypted error of the Digital Credentials API: nothing proves who sent that.
 */
export async function acceptResponse(
  ctx: VerificationContext,
  verification: OpenVerification,
  { channel, body }: AcceptResponse,
): Promise<{ redirect_uri?: string }> {
  const [policies, sealing, trust] = await Promise.all([
    getPolicies(ctx, verification.tenant_id, verification.change_version),
    // Of a verification for an erasure nothing is stored, so nothing is sealed, and its claims can be compared.
    verification.erasing_day === null
      ? getSealing(ctx, verification, verification.change_version)
      : undefined,
    ctx.trust.scopes.forVerification(verification),
  ])
  const onOtherDevice = ['screen', 'age_app_screen', 'proximity'].includes(channel.kind)
  if (onOtherDevice && !allowsScreen(verification, policies)) throw notFound('session_not_found')
  // After a restore that lost the newest key. The wallet may try again; nothing is ever stored unsealed instead.
  if (sealing?.length === 0)
    throw new Refusal('overloaded', 'The response cannot be accepted now. Try again later.', 60)
  const verified = await verifyResponse(ctx, verification, { channel, body, policies, sealing, trust })
  if (verified.kind === 'malformed')
    throw new Refusal('invalid_wallet_response', `This is not a response to the request: ${verified.reason}.`)

  if (verified.kind === 'unbound_error') {
    await recordDcError(ctx.db, verification)
    return {}
  }

  if (verified.outcome.unreadable === true && (await keepOpenForCorrection(ctx, verification)))
    throw new Refusal(
      'invalid_wallet_response',
      `${verified.outcome.error?.message} The verification stays open.`,
    )

  // A wallet that scanned a QR code of the page would open the merchant's page on the other device.
  const redirect_url = onOtherDevice ? null : verification.redirect_url
  if (await keepOpenForAnotherAttempt(ctx, verification, { outcome: verified.outcome, policies }))
    return redirect_url === null ? {} : { redirect_uri: pageUrl(ctx.config.BASE_URL, verification.id) }
  if (
    verified.kind === 'refused' &&
    verified.may_have_other_wallet &&
    (await keepOpenForAnotherWallet(ctx, { ...verification, redirect_url }))
  )
    return {}

  const { erasing_day } = verification
  if (erasing_day !== null && verified.outcome.status === 'completed')
    await eraseMatches(ctx, { ...verification, erasing_day }, verified.outcome.credentials)

  const code = redirect_url === null ? undefined : randomBytes(responseCode_bytes).toString('base64url')
  const recorded = await recordResponse(
    ctx.db,
    toResponseRecord(ctx, verification, {
      outcome: verified.outcome,
      policies,
      code,
      channel,
      trust_version: trust.version,
    }),
  )
  if (!recorded) return refuseLateResponse(ctx, verification.id)
  const { status, error } = verified.outcome
  ctx.metrics.verifications.count(verification.environment, { outcome: status, reason: error?.code })
  return redirect_url === null || code === undefined
    ? {}
    : { redirect_uri: buildRedirectUrl(redirect_url, code) }
}

/**
 * Whether the verification stays open for another wallet that scans the same QR code: once, and only if no browser waits for a
 * redirect.
 */
async function keepOpenForAnotherWallet(
  { db }: VerificationContext,
  { id, day, redirect_url }: Pick<OpenVerification, 'id' | 'day' | 'redirect_url'>,
): Promise<boolean> {
  return redirect_url === null && recordFirstRefusal(db, { day, id })
}

/**
 * Whether the verification stays open after a response that failed, because it allows several: whatever the reason, so that staying open
 * tells none. A result that is held back is not, because the page would show that one failed.
 */
async function keepOpenForAnotherAttempt(
  { db }: VerificationContext,
  { day, id, tenant_id, max_attempts, redirect_url }: OpenVerification,
  { outcome, policies }: { outcome: Outcome; policies: Policies },
): Promise<boolean> {
  const code = outcome.status === 'failed' ? outcome.error?.code : undefined
  if (code === undefined || max_attempts === null || (policies.hold_back && redirect_url !== null))
    return false
  return db.transaction(async (tx) => {
    const left = await recordAttempt(tx, { day, id, code })
    if (left === undefined) return false
    await appendAudit(tx, {
      action: 'verification.attempted',
      by: { kind: 'wallet', tenant_id },
      subject: id,
      detail: { code, left },
    })
    return true
  })
}

/** Whether the verification stays open although a response cannot be read: nothing about the holder was decided, and wallets are mended. */
async function keepOpenForCorrection(
  { db }: VerificationContext,
  { day, id }: Pick<OpenVerification, 'id' | 'day'>,
): Promise<boolean> {
  return recordUnreadable(db, { day, id, max: maxUnreadableResponses })
}

/** Another response won the race, the verification expired meanwhile, or it was erased: reading it again shows which. */
async function refuseLateResponse(ctx: VerificationContext, id: string): Promise<never> {
  await findOpenVerification(ctx, id)
  // Open again: the clock was set back between the two reads.
  throw new Refusal('overloaded', 'The response could not be recorded. Try again in a moment.', 1)
}

type ResponseDecision = {
  outcome: Outcome
  policies: Policies
  code: string | undefined
  channel: Channel
  trust_version: string
}

function toResponseRecord(
  { config }: Pick<VerificationContext, 'config'>,
  verification: OpenVerification,
  { outcome, policies, code, channel, trust_version }: ResponseDecision,
): WalletResponseRecord {
  const { id, day, tenant_id, environment, webhook_url, recognises, erasing_day } = verification
  const isKept = outcome.credentials.length > 0 && erasing_day === null
  return {
    day,
    id,
    tenant_id,
    environment,
    status: outcome.status,
    error: outcome.error ?? null,
    response_code_hash: code === undefined ? null : `\\x${hashResponseCode(code).toString('hex')}`,
    held: policies.hold_back && code !== undefined,
    // A result is purged one day later than this, and does not outlive its verification.
    keep_days: isKept ? Math.min(policies.retention_days, config.VERIFICATION_RETENTION_DAYS - 1) : null,
    claims: isKept && outcome.status === 'completed' ? outcome.claims : null,
    claim_issuers: recognises ? (outcome.claim_issuers ?? null) : null,
    credentials: isKept ? outcome.credentials : [],
    forget_on_delivery: policies.forget_on_delivery,
    webhook_url,
    webhook_host: webhook_url === null ? null : hostFromUrl(webhook_url),
    channel: channel.kind === 'proximity' ? channel.kind : null,
    receipt: renderReceipt(verification, { outcome, trust_version, channel: channel.kind }),
    receipt_salt: `\\x${randomBytes(receiptSalt_bytes).toString('hex')}`,
  }
}

/** Only the hash of a code is stored (REDEEM-4). A code has 192 random bits, so an unsalted hash reveals nothing. */
export function hashResponseCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/**
 * Records a response with its result, its audit entry and its events, or none of them (WRES-8). Responses that arrive while
 * others are being recorded share one statement. False if the verification was no longer open.
 */
const recordResponse = coalescePerTarget<Database, WalletResponseRecord, boolean>({
  maxBatch: 64,
  maxWaiting: 2000,
  maxStatements: 2,
  keyOf: ({ id }) => id,
  wasRolledBack: failedBeforeCommit,
  async run(db, responses) {
    // Of two responses to one verification, only the first can be recorded.
    const firsts = new Map(responses.toReversed().map((response) => [response.id, response]))
    const recorded = await recordResponses(db, [...firsts.values()])
    if (recorded.values().some(({ queued }) => queued)) announceEvents(db)
    return responses.map((response) => firsts.get(response.id) === response && recorded.has(response.id))
  },
})

type VerifyResponse = {
  channel: Channel
  body: string
  policies: Policies
  sealing: Awaited<ReturnType<typeof getSealing>>
  trust: VersionedScope
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

/** Opens and verifies a wallet response on a thread, against the request of the channel that it arrived on. */
async function verifyResponse(
  ctx: VerificationContext,
  verification: OpenVerification,
  { channel, body, policies, sealing, trust }: VerifyResponse,
): Promise<VerifiedResponse> {
  if (channel.kind === 'age_app' || channel.kind === 'age_app_screen')
    await requireAgeAppQuery(ctx, verification)
  const { id, seed, expected, certificate, template_version, own_query, query } = verification
  const task: VerifyTask = {
    body,
    channel,
    verification: { id, seed, certificate },
    ...(expected !== null && { expected }),
    created_at: verification.created_at_seconds,
    requested:
      own_query || template_version === null
        ? { query }
        : { template_version: template_version.toString('base64') },
    trust: trust.scope,
    trust_version: trust.version,
    status_unavailable: policies.status_unavailable,
    now: verification.now_seconds,
    today: dayInZone(verification.now_seconds, policies.time_zone),
    ...(sealing !== undefined && { sealing_keys: sealing.map(({ kid, jwk }) => ({ kid, jwk })) }),
  }
  const threadTask = { owner: verification.tenant_id, bytes: body.length, task }
  const verifying = traced('verify response', () => ctx.verifier.run(threadTask))
  return verifying.catch((error: unknown): VerifiedResponse => {
    // No valid response takes seconds of CPU time. It is final, so that the same response cannot be posted repeatedly.
    if (error instanceof TaskLimitError) return { kind: 'final', outcome: tooCostlyOutcome }
    throw error
  })
}
