import { randomBytes } from 'node:crypto'
import type { CreateVerification } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { hashRequest } from '../idempotency/hash-request.ts'
import { newSessionId } from '../platform/ids.ts'
import type { Principal } from '../platform/principal.ts'
import { Refusal } from '../platform/refusal.ts'
import { identityFor } from '../trust/identity-for.ts'
import { askFor, type Asked } from './ask-for.ts'
import { requestUri, walletUri } from './address.ts'
import { insertSession } from './insert.ts'
import { actorColumns, ownerOf } from './owner.ts'
import type { Creation, CreationOutcome } from './store.ts'

export type Create = {
  body: CreateVerification
  /** The body as it was parsed, before defaults: a repeated request is compared by it. */
  sent: unknown
  idempotency_key: string | undefined
}

/** The 201's text, exactly as it is sent and stored; whether it was sent before; what a wallet will stumble over. */
export type Created = { text: string; replayed: boolean; warnings: string[] }

/** How often an id is rendered anew because the day turned under it. Twice in a row is a clock that jumps. */
const maxRenderings = 3
const day_ms = 86_400_000
/** By how many days the database's calendar is ahead of this machine's: 0 but around midnight, and where a clock is wrong. */
let daysAhead = 0

/**
 * Creates a verification, charges the tenant's day and tells the audit log, all in one transaction that many requests
 * share. A repeated request gets its first answer again, whatever has become of its template, webhook or quota since.
 */
export async function createVerification(
  ctx: Context,
  principal: Principal,
  create: Create,
): Promise<Created> {
  const [asked, certificate] = await Promise.all([
    askFor(ctx, principal, create.body),
    identityFor(ctx, principal.tenant_id),
  ])
  if (asked.refusal !== undefined && create.idempotency_key === undefined) throw asked.refusal

  for (let rendering = 1; rendering <= maxRenderings; rendering += 1) {
    const creation = render(ctx, principal, { ...create, asked, certificate })
    const result = await insertSession(ctx, creation)
    if (result.outcome !== 'day_turned') return answer(creation, asked, result)
    daysAhead = Math.round((Date.parse(result.day) - Date.parse(today())) / day_ms)
  }
  throw new Refusal('overloaded', 'The day is turning. Try again in a moment.', 1)
}

function render(
  ctx: Context,
  principal: Principal,
  { body, sent, idempotency_key, asked, certificate }: Create & { asked: Asked; certificate: Buffer },
): Creation {
  const day = new Date(Date.parse(today()) + daysAhead * day_ms).toISOString().slice(0, 10)
  const id = newSessionId(ctx.config.CELL, day)
  const hashed =
    idempotency_key === undefined
      ? undefined
      : hashRequest(ctx.keyring, principal, { key: idempotency_key, body: sent })
  return {
    ...ownerOf(principal),
    ...actorColumns(principal),
    day,
    id,
    key_hash: hashed === undefined ? null : bytes(hashed.key_hash),
    key_lock: hashed === undefined ? null : hashed.key_hash.readBigInt64BE().toString(),
    body_hash: hashed === undefined ? null : bytes(hashed.body_hash),
    template: body.template ?? null,
    template_version: asked.template_version === undefined ? null : bytes(asked.template_version),
    query: asked.query ?? null,
    metadata: body.metadata ?? null,
    purpose: body.purpose ?? null,
    webhook_url: body.webhook_url ?? null,
    redirect_url: body.redirect_url ?? null,
    ttl_seconds: body.ttl_seconds,
    certificate: bytes(certificate),
    seed: bytes(randomBytes(32)),
    answer: answerHead(ctx, { id, certificate }, body),
    refused: asked.refusal !== undefined,
  }
}

/** The 201 up to its times, which the database gives and appends in the same words as `answer` does. */
function answerHead(
  { config }: Context,
  { id, certificate }: { id: string; certificate: Buffer },
  body: CreateVerification,
): string {
  const head = JSON.stringify({
    id,
    status: 'pending',
    template: body.template,
    wallet_uri: walletUri(config.BASE_URL, { id, certificate }),
    request_uri: requestUri(config.BASE_URL, id),
    metadata: body.metadata,
    purpose: body.purpose,
    redirect_url: body.redirect_url,
  })
  return `${head.slice(0, -1)},`
}

function answer(
  creation: Creation,
  { refusal, warnings }: Asked,
  result: Exclude<CreationOutcome, { outcome: 'day_turned' }>,
): Created {
  switch (result.outcome) {
    case 'created': {
      const times = `"created_at":"${result.created_at}","expires_at":"${result.expires_at}"}`
      return { text: creation.answer + times, replayed: false, warnings }
    }
    case 'replayed':
      return { text: result.answer, replayed: true, warnings }
    case 'reused':
      throw new Refusal(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body in the last 24 hours.',
      )
    case 'in_flight':
      throw new Refusal(
        'idempotency_key_in_flight',
        'A request with this Idempotency-Key is still running.',
        5,
      )
    case 'over_quota':
      throw new Refusal(
        'quota_exceeded',
        'The daily quota is spent. It starts anew at 00:00 UTC.',
        result.retry_after,
      )
    case 'refused':
      throw refusal ?? new Error('a request was refused that had no refusal')
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** Bytes in the form that PostgreSQL reads inside JSON. */
function bytes(buffer: Buffer): string {
  return `\\x${buffer.toString('hex')}`
}
