import { randomBytes } from 'node:crypto'
import type { CreateVerification } from '@vidimus/contract'
import { type Policies, getPolicies, getTenantSettings, notApproved } from '../../accounts/index.ts'
import { type Principal, Refusal, newVerificationId } from '../../engine/basics/index.ts'
import { tracing } from '../../engine/observability/index.ts'
import { getIdentityHash, selectRegistration } from '../../trust/index.ts'
import type { VerificationContext } from '../context.ts'
import { type HashedRequest, hashRequest } from '../idempotency/idempotency-key.ts'
import { returnedMembers } from '../store.ts'
import { sealExpected } from '../wallet/expected-values.ts'
import { findVerification } from '../read/get-verification.ts'
import { actorColumns, addTimes, renderCreated, toVerificationOwner } from '../view-verification.ts'
import { fitToRegistration } from './fit-to-registration.ts'
import { insertVerification } from './insert.ts'
import { type ResolvedQuery, boundWarnings, resolveQuery } from './resolve-query.ts'
import type { Creation, CreationOutcome, Replayable } from './store.ts'

type CreationRequest = {
  body: CreateVerification
  /** The body as parsed, before defaults: repeated requests are compared by it. */
  sent: unknown
  idempotency_key: string | undefined
  /** Whether a query that violates DCQL is refused. If absent, the tenant's policies decide. */
  strict?: boolean | undefined
  /** If it is for an erasure: the day of the results that the holder looks for. */
  erasing_day?: string | undefined
}

/** The body of the 201, exactly as it is sent; whether it was sent before; and problems that a wallet will have with the query. */
export type CreatedVerification = { id: string; text: string; replayed: boolean; warnings: string[] }

/** How often a creation is built because the day changed before it was inserted. Twice in a row means that a clock jumps. */
const maxDayRetries = 3
const day_ms = 86_400_000
const seed_bytes = 32
/** How many days the database's date is ahead of this machine's: 0 except around midnight, or if a clock is wrong. */
let daysAhead = 0

/**
 * Creates a verification, counts it against the tenant's daily quota and writes the audit entry, all in one transaction that
 * many requests share. A repeated request gets its first response again, even if its template, webhook or quota has changed since.
 */
export async function createVerification(
  ctx: VerificationContext,
  principal: Principal,
  request: CreationRequest,
): Promise<CreatedVerification> {
  const { tenant_id, change_version: version } = principal
  const { template } = request.body
  const [asked, signer, registration] = await Promise.all([
    resolveQuery(ctx, principal, request),
    getIdentityHash(ctx, tenant_id, version),
    selectRegistration(ctx, { tenant_id, template }, version),
  ])
  const certificate = registration === undefined ? signer : Buffer.concat([signer, registration.info])
  const resolved = boundWarnings(
    registration === undefined ? asked : await fitToRegistration(ctx, asked, { tenant_id, ...registration }),
  )
  if (resolved.refusal !== undefined && request.idempotency_key === undefined) throw resolved.refusal
  const policies = await getPolicies(ctx, tenant_id, version)

  const { purpose = request.body.purpose } = resolved
  const body = purpose === undefined ? request.body : { ...request.body, purpose }
  const hashed = await hashIdempotentRequest(ctx, principal, request)
  for (let attempt = 1; attempt <= maxDayRetries; attempt += 1) {
    const given = { ...request, body, hashed, resolved, certificate, policies }
    const creation = buildCreation(ctx, principal, given)
    const result = await insertVerification(ctx, creation)
    if (result.outcome === 'created') {
      const { id, environment } = creation.stored
      tracing.tracer?.beginVerification(id)
      ctx.metrics.verifications.count(environment, { outcome: 'created' })
      const shown = { ...body, id, template: template ?? null, metadata: body.metadata ?? null, certificate }
      const text = renderCreated(ctx, shown, result)
      return { text, id, replayed: false, warnings: resolved.warnings }
    }
    if (result.outcome === 'replayed')
      return { ...(await replay(ctx, principal, result)), replayed: true, warnings: resolved.warnings }
    if (result.outcome !== 'day_turned') throw toRefusal(resolved, result)
    daysAhead = Date.parse(result.day) / day_ms - localDay()
  }
  throw new Refusal('overloaded', 'The date is just changing. Try again in a moment.', 1)
}

/** Hashes with the key of the cell where the tenant's first idempotency keys were hashed: a key used there is still known here. */
async function hashIdempotentRequest(
  { db, keyring }: VerificationContext,
  principal: Principal,
  { idempotency_key, sent }: CreationRequest,
): Promise<HashedRequest | undefined> {
  if (idempotency_key === undefined) return undefined
  const { hashing_cell } = await getTenantSettings(db, principal.tenant_id, principal.change_version)
  const hashing = await keyring.hashingOf(hashing_cell ?? undefined)
  return hashRequest(hashing, principal, { key: idempotency_key, body: sent })
}

type NewCreation = Pick<CreationRequest, 'body' | 'erasing_day'> & {
  hashed: HashedRequest | undefined
  resolved: ResolvedQuery
  certificate: Buffer
  policies: Pick<Policies, 'max_attempts'>
}

export function buildCreation(
  ctx: Pick<VerificationContext, 'config' | 'keyring'>,
  principal: Principal,
  { body, hashed, resolved, certificate, policies, erasing_day }: NewCreation,
): Creation {
  const day = presumedDay()
  const id = newVerificationId(ctx.config.CELL, day, tracing.tracer?.takeVerificationBytes())
  const { template, metadata, webhook_url, alternative_url, max_attempts = policies.max_attempts } = body
  const seed = randomBytes(seed_bytes)
  const { tenant_id, ...owner } = toVerificationOwner(principal)
  return {
    tenant_id,
    day,
    ttl_seconds: body.ttl_seconds,
    key_hash: hashed?.key_hash ?? null,
    body_hash: hashed?.body_hash ?? null,
    refused: resolved.refusal !== undefined,
    stored: {
      id,
      ...owner,
      ...actorColumns(principal),
      ...Object.fromEntries(returnedMembers.map((name) => [name, body[name]])),
      template,
      metadata,
      template_version: resolved.template_version && toHex(resolved.template_version),
      query: resolved.query,
      webhook_url,
      alternative_url,
      ...(principal.kind === 'link' && { link_id: principal.link_id }),
      erasing_day,
      max_attempts: max_attempts > 1 ? max_attempts : undefined,
      warnings: resolved.warnings.length > 0 ? resolved.warnings : undefined,
      certificate: toHex(certificate),
      seed: toHex(seed),
      expected: body.expected && toHex(sealExpected(ctx.keyring, seed, body.expected)),
    },
  }
}

/** Bytes as PostgreSQL reads them from a text. */
function toHex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}

/** The first response again, rendered from the verification. If that was erased meanwhile, its key is as one that was used. */
async function replay(
  ctx: VerificationContext,
  principal: Principal,
  { response, ...times }: Replayable,
): Promise<{ text: string; id: string }> {
  // The previous release stored the text, in which the id comes first.
  if (response.startsWith('{"id":"'))
    return { text: addTimes(response, times), id: response.split('"', 4)[3] ?? '' }
  const row = await findVerification(ctx, toVerificationOwner(principal), response)
  if (row === undefined) throw keyReused()
  return { text: renderCreated(ctx, row, times), id: row.id }
}

function toRefusal(
  { refusal }: ResolvedQuery,
  result: Exclude<CreationOutcome, { outcome: 'created' | 'replayed' | 'day_turned' }>,
): Error {
  switch (result.outcome) {
    case 'reused':
      return keyReused()
    case 'in_flight':
      return new Refusal(
        'idempotency_key_in_flight',
        'A request with this Idempotency-Key is still running.',
        5,
      )
    case 'over_quota':
      return new Refusal(
        'quota_exceeded',
        'The daily quota is used up. It resets at 00:00 UTC.',
        result.retry_after,
      )
    case 'link_closed':
      return new Refusal('not_found', 'This link allows no more verifications.')
    case 'suspended':
      return new Refusal(
        'tenant_suspended',
        `The operator of this service has suspended this account: ${result.response ?? 'no reason was given.'}`,
      )
    case 'not_approved':
      return notApproved(result.response === 'live' ? 'live' : 'test')
    case 'refused':
      return refusal ?? new Error('The database refused a request without a reason.')
  }
}

function keyReused(): Refusal {
  return new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used with a different body in the last 24 hours.',
  )
}

let lastDay = { number: 0, text: '' }

/** The database's date, as far as this process knows. */
function presumedDay(): string {
  const number = localDay() + daysAhead
  if (number !== lastDay.number)
    lastDay = { number, text: new Date(number * day_ms).toISOString().slice(0, 10) }
  return lastDay.text
}

/** The date of this machine, in days since 1970. */
function localDay(): number {
  return Math.floor(Date.now() / day_ms)
}
