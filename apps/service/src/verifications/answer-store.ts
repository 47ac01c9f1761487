import type { CredentialResult, Environment } from '@vidimus/contract'
import type { AnyQuery } from '@vidimus/protocol'
import type { Db } from '../platform/db/open.ts'
import { keptDayLiteral, sql } from '../platform/db/sql.ts'
import type { Owner, Placed } from './store.ts'

export type WalletSessionRow = {
  id: string
  tenant_id: string
  environment: Environment
  responded: boolean
  lapsed: boolean
  template_version: Buffer | null
  query: AnyQuery | null
  purpose: string | null
  redirect_url: string | null
  webhook_url: string | null
  certificate: Buffer
  seed: Buffer | null
  created_at_seconds: number
  expires_at_seconds: number
  now_seconds: number
}

/** Sessions of one day for the wallets that know their ids. */
export async function readWalletSessions(
  db: Db,
  day: string,
  asked: { id: string }[],
): Promise<Placed<WalletSessionRow>[]> {
  return db.query<Placed<WalletSessionRow>>(sql`
    select asked.place, s.id, s.tenant_id, s.environment, s.responded_at is not null as responded,
      s.expires_at <= service_now() as lapsed, s.template_version, s.query, s.purpose, s.redirect_url, s.webhook_url,
      s.certificate, s.seed,
      floor(extract(epoch from s.created_at))::bigint as created_at_seconds,
      floor(extract(epoch from s.expires_at))::bigint as expires_at_seconds,
      floor(extract(epoch from service_now()))::bigint as now_seconds
    from unnest(${asked.map(({ id }) => id)}::text[]) with ordinality as asked (id, place)
    join verification_sessions s on s.day = ${keptDayLiteral(day)} and s.id = asked.id`)
}

export type Fetch = { day: string; id: string; count: number }

/** Adds to the sessions' timelines how often their requests were fetched. */
export async function addFetches(db: Db, fetches: Fetch[]): Promise<void> {
  await db.execute(sql`
    update verification_sessions s
    set fetches = s.fetches + f.count, first_fetched_at = coalesce(s.first_fetched_at, service_now())
    from unnest(
      ${fetches.map(({ day }) => day)}::date[], ${fetches.map(({ id }) => id)}::text[],
      ${fetches.map(({ count }) => count)}::integer[]
    ) as f (day, id, count)
    where s.day = f.day and s.id = f.id`)
}

export type RecordOutcome = {
  day: string
  id: string
  status: 'completed' | 'failed'
  error: { code: string; message: string } | null
  response_code_hash: Buffer | null
  held: boolean
  /** How many days the result is kept; null when there is none to keep. */
  keep_days: number | null
}

/**
 * Records the wallet's one answer and destroys the session's secrets. Undefined when another answer won, the session lapsed
 * or was erased: nobody has to lock first.
 */
export async function recordOutcome(
  tx: Db,
  outcome: RecordOutcome,
): Promise<{ purge_day: string | null } | undefined> {
  const [row] = await tx.query<{ purge_day: string | null }>(sql`
    update verification_sessions s
    set status = ${outcome.status}, responded_at = service_now(), seed = null, error = ${jsonOf(outcome.error)},
      response_code_hash = ${outcome.response_code_hash}, held = ${outcome.held},
      purge_day = service_day() + ${outcome.keep_days}::integer + 1
    where s.day = ${keptDayLiteral(outcome.day)} and s.id = ${outcome.id}
      and s.responded_at is null and s.expires_at > service_now()
    returning s.purge_day`)
  return row
}

export type InsertResult = {
  purge_day: string
  session_id: string
  tenant_id: string
  claims: Record<string, unknown> | null
  credentials: CredentialResult[]
  /** It goes as soon as the merchant has it (RET-3). */
  forget_on_delivery: boolean
}

/** The one place where claims are written. */
export async function insertResult(tx: Db, result: InsertResult): Promise<void> {
  await tx.execute(sql`
    insert into verification_results (purge_day, session_id, tenant_id, claims, credentials, forget_on_delivery)
    values (
      ${result.purge_day}, ${result.session_id}, ${result.tenant_id}, ${jsonOf(result.claims)},
      ${jsonOf(result.credentials)}, ${result.forget_on_delivery})`)
}

export type SpendCode = Owner & { day: string; id: string; code_hash: Buffer }

/** Spends a response code. False when it is wrong, was spent, or the session is not the caller's. */
export async function spendResponseCode(tx: Db, code: SpendCode): Promise<boolean> {
  const spent = await tx.execute(sql`
    update verification_sessions s
    set redeemed_at = service_now()
    where s.day = ${keptDayLiteral(code.day)} and s.id = ${code.id} and s.tenant_id = ${code.tenant_id}
      and s.environment = ${code.environment} and (${code.device_id}::uuid is null or s.device_id = ${code.device_id})
      and s.response_code_hash = ${code.code_hash} and s.redeemed_at is null`)
  return spent === 1
}

/** Destroys the secrets of sessions that lapsed without an answer; returns how many. */
export async function sweepSeeds(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    update verification_sessions s set seed = null
    where (s.day, s.id) in (
      select day, id from verification_sessions
      where seed is not null and expires_at <= service_now() and day >= service_day() - 2
      limit ${limit}
      for update skip locked)`)
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
