import { createHash } from 'node:crypto'
import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** `crl_issuer` is the certificate (DER) of the authority that signs a certificate revocation list or an OCSP response; absent for other lists. */
export type ListKey = { environment: Environment; uri: string; crl_issuer?: Uint8Array }

type ListMedia = 'jwt' | 'cwt' | 'crl' | 'ocsp'

export type CopyRow = {
  /** Null if the caller has this copy already. */
  token: Buffer | null
  media: ListMedia
  fetched_at: string
  /** Seconds since 1970. */
  lapses_at: number
}

const expiryColumn = sql`extract(epoch from lapses_at)::float8 as lapses_at`

/** Identifies the authority in the key of a copy; empty for lists that carry the certificate of their signer. */
export function hashIssuer(crlIssuer: Uint8Array | undefined): Buffer {
  return crlIssuer === undefined ? Buffer.alloc(0) : createHash('sha256').update(crlIssuer).digest()
}

/**
 * Reads the stored copy of a list, unless it has expired, and marks the list as in use. Omits the bytes if the caller has them.
 */
export async function readUsableCopy(
  db: Db,
  { environment, uri, crl_issuer, cached_at }: ListKey & { cached_at: string | null },
): Promise<CopyRow | undefined> {
  const [row] = await db.query<CopyRow>(sql`
    update revocation_lists
    set used_at = service_now()
    where environment = ${environment} and uri = ${uri} and issuer = ${hashIssuer(crl_issuer)}
      and lapses_at > service_now()
    returning case when fetched_at is distinct from ${cached_at}::timestamptz then token end as token, media, fetched_at, ${expiryColumn}`)
  return row
}

export type NewListCopy = ListKey & {
  token: Uint8Array
  media: ListMedia
  /** Seconds since 1970. */
  issued_at: number
  expires_at: number | null
  /** How long a copy may be used, at most, and after how long another is fetched while it may. */
  keep_seconds: number
  refresh_seconds: number
}

/**
 * Stores a copy for as long as it may be used. Undefined if it may not be used: it has expired, its time of issue is in the future,
 * or a later one is known. An older list never replaces a newer one; otherwise a stale server could undo a revocation.
 */
export async function saveCopy(db: Db, copy: NewListCopy): Promise<CopyRow | undefined> {
  const [row] = await db.query<CopyRow>(sql`
    insert into revocation_lists (environment, uri, issuer, issuer_certificate, token, media, issued_at, fetched_at, refresh_at,
      lapses_at, used_at)
    select ${copy.environment}, ${copy.uri}, ${hashIssuer(copy.crl_issuer)}, ${copy.crl_issuer ?? null}, ${copy.token}, ${copy.media},
      to_timestamp(${copy.issued_at}::float8), now,
      now + 0.75 * least(lapses_at - now, make_interval(secs => ${copy.refresh_seconds}::float8)), lapses_at, now
    from (select service_now() as now) clock
    cross join lateral (
      select least(
        now + make_interval(secs => ${copy.keep_seconds}::float8), to_timestamp(${copy.expires_at}::float8)) as lapses_at
    ) life
    where lapses_at > now and to_timestamp(${copy.issued_at}::float8) <= now + interval '60 seconds'
    on conflict (environment, uri, issuer) do update
    set token = excluded.token, media = excluded.media, issued_at = excluded.issued_at, fetched_at = excluded.fetched_at,
      refresh_at = excluded.refresh_at, lapses_at = excluded.lapses_at
    where revocation_lists.issued_at <= excluded.issued_at
    returning token, media, fetched_at, ${expiryColumn}`)
  return row
}

/** Whether a list is known that was issued later than this one, expired or not. */
export async function hasNewerList(
  db: Db,
  { environment, uri, crl_issuer }: ListKey,
  issuedAt: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from revocation_lists
    where environment = ${environment} and uri = ${uri} and issuer = ${hashIssuer(crl_issuer)}
      and issued_at > to_timestamp(${issuedAt}::float8)`)
  return rows.length > 0
}

type DueRow = { environment: Environment; uri: string; crl_issuer: Buffer | null }

/**
 * Claims lists that are in use and will expire, for this worker to fetch. Other workers leave each alone for an eighth of its
 * remaining lifetime, an hour at most, so that a failed attempt is repeated well before the end.
 */
export async function claimExpiring(db: Db, limit: number): Promise<ListKey[]> {
  const rows = await db.query<DueRow>(sql`
    update revocation_lists l
    set refresh_at = service_now() + case
      when lapses_at > service_now()
      then least(greatest((lapses_at - service_now()) / 8, interval '5 seconds'), interval '1 hour')
      else interval '1 minute' end
    from (
      select environment, uri, issuer from revocation_lists
      where refresh_at <= service_now() and used_at > service_now() - interval '1 day'
      order by refresh_at
      limit ${limit}
      for update skip locked
    ) due
    where l.environment = due.environment and l.uri = due.uri and l.issuer = due.issuer
    returning l.environment, l.uri, l.issuer_certificate as crl_issuer`)
  return rows.map(({ environment, uri, crl_issuer }) => ({
    environment,
    uri,
    ...(crl_issuer && { crl_issuer }),
  }))
}

/** Deletes lists that have not been used for a day. */
export async function deleteUnused(db: Db): Promise<number> {
  return db.execute(sql`
    delete from revocation_lists
    where (environment, uri, issuer) in (
      select environment, uri, issuer from revocation_lists
      where used_at <= service_now() - interval '1 day' limit 1000)`)
}
