import type { CredentialResult, Environment } from '@vidimus/contract'
import type { AnyQuery } from '@vidimus/protocol'
import { type ChangeVersion, type Db, batchRows, changeVersion } from '../../engine/db/index.ts'
import { type Sql, cachedDayLiteral, sql } from '../../engine/db/sql.ts'
import type { VerificationOwner, BatchRow } from '../store.ts'

export type WalletVerificationRow = {
  id: string
  tenant_id: string
  environment: Environment
  responded: boolean
  expired: boolean
  template: string | null
  template_version: Buffer | null
  query: AnyQuery | null
  purpose: string | null
  redirect_url: string | null
  webhook_url: string | null
  /** The OpenID client that asked recognises people, and accepts responses only from the device of the browser. */
  recognises: boolean
  same_device: boolean
  certificate: Buffer
  seed: Buffer | null
  /** What the template compares claims with, encrypted under the seed. */
  expected: Buffer | null
  /** Of the reader's session that it was requested in last. */
  transcript_hash: Buffer | null
  /** If it is for an erasure: the day of the results that the holder looks for. Nothing of its response is kept. */
  erasing_day: string | null
  /** How many responses may be sent, if one that fails is not the last. */
  max_attempts: number | null
  created_at_seconds: number
  expires_at_seconds: number
  /** Including the fraction. */
  now_seconds: number
  /** Copies of this version are current for the request that reads the verification. */
  change_version: ChangeVersion
}

/** Verifications by id alone: for a wallet, the id is the capability. */
export async function readWalletVerifications(
  db: Db,
  keys: { day: string; id: string }[],
  onDay: Sql,
): Promise<BatchRow<WalletVerificationRow>[]> {
  return db.query<BatchRow<WalletVerificationRow>>(sql`
    select requested.place, s.id, s.tenant_id, s.environment, s.responded_at is not null as responded,
      s.expires_at <= service_now() as expired, s.template, s.template_version, s.query, s.purpose, s.redirect_url, s.webhook_url,
      coalesce(c.recognises, false) as recognises, coalesce(c.same_device, false) as same_device, s.certificate, s.seed, s.expected,
      s.transcript_hash, s.erasing_day, s.max_attempts,
      floor(extract(epoch from s.created_at))::bigint as created_at_seconds,
      floor(extract(epoch from s.expires_at))::bigint as expires_at_seconds,
      extract(epoch from service_now())::double precision as now_seconds, ${changeVersion}
    from ${batchRows(keys)} as requested (place integer, day date, id text)
    cross join lateral (select * from verification_sessions s where ${onDay} and s.id = requested.id limit 1) s
    left join lateral openid_client_of(s.id) c on s.redirect_url is not null`)
}

/** `at`: when it was last fetched, in seconds since 1970 by the database's clock. */
export type FetchCount = { day: string; id: string; count: number; at: number }

/** Adds to the number of times that the verifications' request objects were fetched. */
export async function addFetchCounts(db: Db, fetches: FetchCount[]): Promise<void> {
  await db.execute(sql`
    update verification_sessions s
    set fetches = s.fetches + f.count, first_fetched_at = coalesce(s.first_fetched_at, service_now()),
      fetched_at = greatest(s.fetched_at, to_timestamp(f.at))
    from unnest(
      ${fetches.map(({ day }) => day)}::date[], ${fetches.map(({ id }) => id)}::text[],
      ${fetches.map(({ count }) => count)}::integer[], ${fetches.map(({ at }) => at)}::double precision[]
    ) as f (day, id, count, at)
    where s.day = f.day and s.id = f.id`)
}

/** A wallet response in the form that `record_responses` expects. Bytes are sent as hexadecimal text. */
export type WalletResponseRecord = {
  day: string
  id: string
  tenant_id: string
  environment: Environment
  status: 'completed' | 'failed'
  error: { code: string; message: string } | null
  response_code_hash: string | null
  held: boolean
  /** How many days the result is kept; null if there is no result. */
  keep_days: number | null
  claims: Record<string, unknown> | null
  /** Who issued each claim. Null unless an OpenID client recognises people by one. */
  claim_issuers: Record<string, string> | null
  credentials: CredentialResult[]
  /** The result is deleted as soon as the merchant has it (RET-3). */
  forget_on_delivery: boolean
  webhook_url: string | null
  webhook_host: string | null
  /** Recorded if a device's own reader got the response: what it says about the session is only as good as the device. */
  channel: 'proximity' | null
  /** The receipt without its times, which only the database knows, as the text of a JSON object. */
  receipt: string
  receipt_salt: string
}

/**
 * Records the response of each of these verifications, destroys their secrets and writes audit entries and webhook events, in one
 * transaction; the only place where claims are written. Returns the verifications that were still open, each with whether a webhook
 * was queued. No lock is needed beforehand.
 */
export async function recordResponses(
  db: Db,
  responses: WalletResponseRecord[],
): Promise<Map<string, { queued: boolean }>> {
  const rows = await db.query<{ id: string; queued: boolean }>(
    sql`select id, queued from record_responses(${JSON.stringify(responses)})`,
  )
  return new Map(rows.map(({ id, queued }) => [id, { queued }]))
}

/** Records the first refusal without a reason. False for any later one, and if the verification is no longer open. */
export async function recordFirstRefusal(db: Db, { day, id }: { day: string; id: string }): Promise<boolean> {
  const updated = await db.execute(sql`
    update verification_sessions s
    set refused_at = service_now()
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id}
      and s.responded_at is null and s.expires_at > service_now() and s.refused_at is null`)
  return updated === 1
}

/**
 * Counts a response that failed. Undefined if it was the last that the verification allows, and if the verification is no longer open;
 * otherwise how many may follow.
 */
export async function recordAttempt(
  tx: Db,
  { day, id, code }: { day: string; id: string; code: string },
): Promise<number | undefined> {
  const [row] = await tx.query<{ left: number }>(sql`
    update verification_sessions s
    set attempts = coalesce(s.attempts, 0) + 1, attempted_at = service_now(), attempt_code = ${code}
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id} and s.responded_at is null and s.seed is not null
      and s.expires_at > service_now() and coalesce(s.attempts, 0) + 1 < s.max_attempts
    returning s.max_attempts - s.attempts as left`)
  return row?.left
}

/** Counts a response that cannot be read. False if there were `max` before, and if the verification is no longer open. */
export async function recordUnreadable(
  db: Db,
  { day, id, max }: { day: string; id: string; max: number },
): Promise<boolean> {
  const updated = await db.execute(sql`
    update verification_sessions s
    set unreadable_responses = coalesce(s.unreadable_responses, 0) + 1, unreadable_at = service_now()
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id}
      and s.responded_at is null and s.expires_at > service_now() and coalesce(s.unreadable_responses, 0) < ${max}`)
  return updated === 1
}

/**
 * Binds a verification to a reader's session. False if the session was used for another verification, and if the verification is no
 * longer open. The lock lets one of two concurrent calls with the same session see what the other did.
 */
export async function bindTranscript(
  tx: Db,
  { day, id, tenant_id, hash }: { day: string; id: string; tenant_id: string; hash: Buffer },
): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(encode(${hash}::bytea, 'hex'), 0))`)
  const updated = await tx.execute(sql`
    update verification_sessions s
    set transcript_hash = ${hash}
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id} and (s.tenant_id = ${tenant_id}) is true
      and s.responded_at is null and s.expires_at > service_now()
      and not exists (select from verification_sessions o where o.transcript_hash = ${hash} and o.id <> s.id)`)
  return updated === 1
}

/** Records the first unencrypted error of the Digital Credentials API, while the verification is open. */
export async function recordDcError(db: Db, { day, id }: { day: string; id: string }): Promise<void> {
  await db.execute(sql`
    update verification_sessions s
    set dc_error_at = service_now()
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id}
      and s.responded_at is null and s.expires_at > service_now() and s.dc_error_at is null`)
}

export type SpendCode = VerificationOwner & { day: string; id: string; code_hash: Buffer }

/** What a spent code releases: where the result is sent, and whether it was held back until now. */
export type SpentCode = { held: boolean; webhook_url: string | null; forget_on_delivery: boolean }

/** Spends a response code. Undefined if it is wrong, already spent or too late, or if the verification is not the caller's. */
export async function spendResponseCode(tx: Db, code: SpendCode): Promise<SpentCode | undefined> {
  const [spent] = await tx.query<SpentCode>(sql`
    update verification_sessions s
    set redeemed_at = service_now()
    where s.day = ${cachedDayLiteral(code.day)} and s.id = ${code.id}
      and (s.tenant_id = ${code.tenant_id} and s.environment = ${code.environment}) is true and (${code.device_id}::uuid is null or s.device_id = ${code.device_id})
      and s.response_code_hash = ${code.code_hash} and s.redeemed_at is null
      and (not s.held or redeemable_until(s.expires_at, s.responded_at) > service_now())
    returning s.held, s.webhook_url, coalesce((
      select r.forget_on_delivery from verification_results r
      where r.purge_day = s.purge_day and r.verification_id = s.id), false) as forget_on_delivery`)
  return spent
}

export type ExpiredVerifications = { expired: number; queued: number }

/** Destroys the secrets of verifications that expired without a response, and queues their events; returns how many of both. */
export async function expireStored(db: Db, limit: number): Promise<ExpiredVerifications> {
  const [row] = await db.query<ExpiredVerifications>(
    sql`select expired, queued from expire_verifications(${limit})`,
  )
  return row ?? { expired: 0, queued: 0 }
}
