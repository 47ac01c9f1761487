import type { Environment, StatusName } from '@vidimus/contract'
import type { AnyQuery } from '@vidimus/protocol'
import { type ChangeVersion, type Db, batchRows, changeVersion } from '../../engine/db/index.ts'
import { type Sql, sql } from '../../engine/db/sql.ts'
import type { BatchRow } from '../store.ts'

/** What decides the phase that the holder sees. */
export type HolderPhaseRow = {
  status: StatusName
  /** A wallet has responded, but its response is held back until the code is redeemed; `status` does not reveal it. */
  withheld: boolean
  /** A wallet has fetched the request, and not sent a response that failed since. */
  opened: boolean
  cancelled: boolean
  /** The verification ended because another one has used their link. */
  link_used: boolean
  /** The link that created it. */
  link_id: string | null
  /** Why the last response failed, if it did. */
  failure_code: string | null
  /** How many responses the holder may still send after that one. */
  attempts_left: number
  /** The database's clock. */
  now_seconds: number
}

export type HolderVerificationRow = HolderPhaseRow & {
  id: string
  tenant_id: string
  environment: Environment
  template_version: Buffer | null
  query: AnyQuery | null
  purpose: string | null
  /** If it is for an erasure: the day of the results that the holder looks for. */
  erasing_day: string | null
  redirect_url: string | null
  alternative_url: string | null
  /** The OpenID client that asked accepts responses only from the device of the browser. */
  same_device: boolean
  certificate: Buffer
  /** Null once the verification has a response, or soon after it expired. */
  seed: Buffer | null
  now: string
  expires_at: string
  /** When a wallet responded, also if that must not show yet. */
  responded_at: string | null
  /** Copies of this version are current for the request that reads the verification. */
  change_version: ChangeVersion
}

type VerificationId = { day: string; id: string }

const withheld = sql`(s.held and s.redeemed_at is null)`
const shownStatus = sql`shown_status(s.status, ${withheld}, s.expires_at, s.responded_at)`
const phaseColumns = sql`
  ${shownStatus} as status, ${withheld} as withheld, s.cancelled_by is not null as cancelled,
  coalesce(s.cancelled_by = 'link', false) as link_used, s.link_id,
  s.first_fetched_at is not null and (s.attempted_at is null or s.fetched_at > s.attempted_at) as opened,
  case when ${withheld} then null when s.status = 'failed' then s.error ->> 'code' else s.attempt_code end as failure_code,
  case when s.seed is not null then coalesce(s.max_attempts - s.attempts, 0) else 0 end as attempts_left, extract(epoch from service_now())::double precision as now_seconds`

/** The phases of verifications, for anyone who knows the id. */
export async function readHolderPhases(
  db: Db,
  keys: VerificationId[],
  onDay: Sql,
): Promise<BatchRow<HolderPhaseRow>[]> {
  return db.query<BatchRow<HolderPhaseRow>>(sql`
    select requested.place, ${phaseColumns}
    from ${requestedVerifications(keys, onDay)}`)
}

/** Verifications as their holders see them, for anyone who knows the id. */
export async function readHolderVerifications(
  db: Db,
  keys: VerificationId[],
  onDay: Sql,
): Promise<BatchRow<HolderVerificationRow>[]> {
  return db.query<BatchRow<HolderVerificationRow>>(sql`
    select requested.place, ${phaseColumns}, s.id, s.tenant_id, s.environment, s.template_version, s.query, s.purpose, s.erasing_day,
      s.redirect_url, s.alternative_url, coalesce(c.same_device, false) as same_device, s.certificate, s.seed, service_now() as now, s.expires_at, s.responded_at,
      ${changeVersion}
    from ${requestedVerifications(keys, onDay)}
    left join lateral openid_client_of(s.id) c on s.redirect_url is not null`)
}

function requestedVerifications(keys: VerificationId[], onDay: Sql): Sql {
  return sql`${batchRows(keys)} as requested (place integer, day date, id text)
    cross join lateral (select * from verification_sessions s where ${onDay} and s.id = requested.id limit 1) s`
}
