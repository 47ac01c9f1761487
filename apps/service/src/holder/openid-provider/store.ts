import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type AuthorizationRow = {
  id: string
  tenant_id: string
  client_id: string
  verification_day: string
  verification_id: string
  browser_hash: Buffer
  redirect_uri: string
  response_mode: 'query' | 'form_post'
  state: string | null
  nonce: string | null
  /** Null: the request had a nonce instead. */
  code_challenge: string | null
  returned: boolean
  exchanged: boolean
}

const columns = sql`
  id, tenant_id, client_id, verification_day, verification_id, browser_hash, redirect_uri, response_mode, state, nonce, code_challenge,
  returned_at is not null as returned, exchanged_at is not null as exchanged`

export type NewAuthorization = Omit<
  AuthorizationRow,
  'verification_day' | 'verification_id' | 'returned' | 'exchanged'
> & {
  /** Of the browser and its request. */
  request_hash: Buffer
  ends_after_seconds: number
}

/** An authorization in progress. `verification_id` is null until its verification has been created. */
export type StartedAuthorization = { id: string; verification_id: string | null }

/**
 * Begins an authorization, or returns the one in progress for the same request of the same browser, also under concurrent calls.
 * Undefined if the client was deleted meanwhile.
 */
export async function beginAuthorization(
  db: Db,
  row: NewAuthorization,
): Promise<StartedAuthorization | undefined> {
  const [started] = await db.query<StartedAuthorization>(sql`
    insert into openid_authorizations as a
      (id, request_hash, tenant_id, client_id, browser_hash, redirect_uri, response_mode, state, nonce, code_challenge, ends_at)
    select ${row.id}, ${row.request_hash}, c.tenant_id, c.id, ${row.browser_hash}, ${row.redirect_uri}, ${row.response_mode},
      ${row.state}, ${row.nonce}, ${row.code_challenge}, service_now() + make_interval(secs => ${row.ends_after_seconds})
    from openid_clients c where c.tenant_id = ${row.tenant_id} and c.id = ${row.client_id}
    on conflict (request_hash) do update set request_hash = excluded.request_hash where a.tenant_id = excluded.tenant_id
    returning a.id, a.verification_id`)
  return started
}

export type AuthorizationRequestKey = { tenant_id: string; request_hash: Buffer }

/**
 * Lets the same request of the same browser begin another authorization if the one before has ended: its code was exchanged or is too
 * old, or the browser came back too late. With `verification_id`, also if it has this verification.
 */
export async function releaseRequest(
  db: Db,
  {
    tenant_id,
    request_hash,
    code_seconds,
    verification_id = null,
  }: AuthorizationRequestKey & { code_seconds: number; verification_id?: string | null },
): Promise<void> {
  await db.execute(sql`
    update openid_authorizations set request_hash = null
    where request_hash = ${request_hash} and tenant_id = ${tenant_id}
      and (exchanged_at is not null or ends_at <= service_now() or verification_id = ${verification_id}
        or returned_at <= service_now() - make_interval(secs => ${code_seconds}))`)
}

/** Stores the verification of an authorization, which then ends after the given time. A repetition changes nothing. */
export async function attachVerification(
  db: Db,
  {
    tenant_id,
    id,
    verification_day,
    verification_id,
    ends_after_seconds,
  }: Pick<AuthorizationRow, 'tenant_id' | 'id' | 'verification_day' | 'verification_id'> & {
    ends_after_seconds: number
  },
): Promise<void> {
  await db.execute(sql`
    update openid_authorizations
    set verification_day = ${verification_day}, verification_id = ${verification_id}, ends_at = service_now() + make_interval(secs => ${ends_after_seconds})
    where id = ${id} and tenant_id = ${tenant_id} and verification_id is null`)
}

/** Undefined until it has a verification, and once it has ended. */
export async function findAuthorization(
  db: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<AuthorizationRow | undefined> {
  const [row] = await db.query<AuthorizationRow>(sql`
    select ${columns} from openid_authorizations
    where id = ${id} and tenant_id = ${tenant_id} and verification_id is not null and ends_at > service_now()`)
  return row
}

/** Notes that the browser is back. A reload changes nothing, so that it does not prolong the code. False if the code was exchanged. */
export async function markReturned(tx: Db, id: string): Promise<boolean> {
  const updated = await tx.execute(sql`
    update openid_authorizations set returned_at = coalesce(returned_at, service_now())
    where id = ${id} and exchanged_at is null and ends_at > service_now()`)
  return updated > 0
}

/** Exchanges a code: of all who try, one succeeds. From now on its tokens work. */
export async function markExchanged(
  tx: Db,
  { id, code_seconds, token_seconds }: { id: string; code_seconds: number; token_seconds: number },
): Promise<boolean> {
  const updated = await tx.execute(sql`
    update openid_authorizations
    set exchanged_at = service_now(), ends_at = service_now() + make_interval(secs => ${token_seconds})
    where id = ${id} and exchanged_at is null and ends_at > service_now()
      and returned_at > service_now() - make_interval(secs => ${code_seconds})`)
  return updated > 0
}

/** Ends an authorization whose code was exchanged, with its tokens (RFC 6749 §4.1.2). */
export async function endExchanged(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    update openid_authorizations set ends_at = service_now()
    where id = ${id} and exchanged_at is not null and ends_at > service_now()`)
}

/** Its verification; null if its verification was never created. */
export type EndedAuthorization = { day: string; id: string } | { day: null; id: null }

/** Deletes some authorizations that have ended, and returns their verifications. */
export async function deleteEnded(tx: Db, limit: number): Promise<EndedAuthorization[]> {
  return tx.query<EndedAuthorization>(sql`
    delete from openid_authorizations
    where id in (
      select id from openid_authorizations where ends_at <= service_now() limit ${limit} for update skip locked)
    returning verification_day as day, verification_id as id`)
}
