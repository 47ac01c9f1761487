import type { Environment, CredentialResult, StatusName, StoredMember, Verification } from '@vidimus/contract'
import { type Db, batchRows } from '../engine/db/index.ts'
import { type Sql, cachedDayLiteral, sql } from '../engine/db/sql.ts'

/** The columns with what a creation is given and every view of it returns, under the same name. */
const returnedColumns: Record<ReturnedMember, Sql> = {
  purpose: sql`s.purpose`,
  redirect_url: sql`s.redirect_url`,
}
type ReturnedMember = StoredMember | 'redirect_url'
// The keys of a constant are exactly those of its type.
export const returnedMembers = Object.keys(returnedColumns) as ReturnedMember[]

export type VerificationTimes = { created_at: string; expires_at: string }

/** A verification with its result, as all reads select it. */
export type VerificationRow = VerificationTimes & {
  [member in ReturnedMember]?: Verification[member] | null
} & {
  id: string
  status: StatusName
  /** The response is held back until its code is redeemed; `status` does not reveal it. */
  withheld: boolean
  template: string | null
  metadata: Record<string, string> | null
  certificate: Buffer
  error: { code: string; message: string } | null
  claims: Record<string, unknown> | null
  credentials: CredentialResult[] | null
  responded_at: string | null
}

/** Whose verifications: those of a tenant in one environment, and for a device only its own. */
export type VerificationOwner = { tenant_id: string; environment: string; device_id: string | null }

/** Whether a response is held back until its code is redeemed (RET-2). */
const withheld = sql`(s.held and s.redeemed_at is null)`

/** The status that everyone sees. It reveals nothing about a response that is held back. */
const shownStatus = sql`shown_status(s.status, ${withheld}, s.expires_at, s.responded_at)`

/** The columns of a verification `s` and its result. `json` is applied to those that can be large. */
function verificationColumns(json: (column: Sql) => Sql = (column) => column): Sql {
  return sql`
    s.id, ${shownStatus} as status, s.template, ${json(sql`s.metadata`)} as metadata,
    ${Object.values(returnedColumns).reduce((columns, column) => sql`${columns}, ${column}`)}, s.certificate, s.error,
    ${withheld} as withheld, ${json(sql`claims`)} as claims, ${json(sql`credentials`)} as credentials, s.created_at,
    s.expires_at, s.responded_at`
}

/**
 * The limits here and below are for the planner: with a limit it looks a row up by its key, whereas it may plan to read new
 * tables, which were never analysed, in full for a plain join.
 */
const withResult = sql`
  left join lateral (
    select r.claims, r.claim_issuers, r.credentials from verification_results r
    where r.purge_day = s.purge_day and r.verification_id = s.id and r.purge_day > service_day()
    limit 1
  ) r on true`

export type VerificationKey = VerificationOwner & { day: string; id: string }

/** `place` identifies the caller: two callers may request the same id, and only one of them may own it. */
export type BatchRow<Row> = Row & { place: number }

/** Verifications by id, each for its owner only. `onDay` is the condition on their day. */
export async function readVerifications(
  db: Db,
  keys: VerificationKey[],
  onDay: Sql,
): Promise<BatchRow<VerificationRow>[]> {
  return db.query<BatchRow<VerificationRow>>(sql`
    select requested.place, ${verificationColumns()}
    from ${batchRows(keys)} as requested (place integer, day date, id text, tenant_id uuid, environment text, device_id uuid)
    cross join lateral (select * from verification_sessions s where ${onDay} and s.id = requested.id limit 1) s
    ${withResult}
    where s.tenant_id = requested.tenant_id and s.environment = requested.environment
      and (requested.device_id is null or s.device_id = requested.device_id)`)
}

/** The status of each verification that exists, for anyone who knows the id. */
export async function readStatuses(
  db: Db,
  keys: { day: string; id: string }[],
  onDay: Sql,
): Promise<{ id: string; status: StatusName }[]> {
  return db.query<{ id: string; status: StatusName }>(sql`
    select s.id, s.status
    from ${batchRows(keys)} as requested (day date, id text)
    cross join lateral (
      select s.id, ${shownStatus} as status from verification_sessions s where ${onDay} and s.id = requested.id limit 1
    ) s`)
}

export async function readToday(db: Db): Promise<string> {
  const [row] = await db.query<{ today: string }>(sql`select service_day() as today`)
  return row?.today ?? ''
}

/** What a page of a list has room for. `before` is a time, or `infinity`. */
export type PageRequest = { before: string; limit: number; max_bytes: number }

/** `bytes` counts the JSON of this row and of all before it; beyond `max_bytes`, the row comes without its JSON. */
export type ListedVerification = VerificationRow & { bytes: number; omitted: boolean }

/**
 * The size of a JSON value as text. A value stored in less than 2 kB, compressed or not, is not decompressed to be measured.
 */
const jsonBytes = (column: Sql) => sql`
  coalesce(case when pg_column_size(${column}) < 2000 then pg_column_size(${column}) else octet_length(${column}::text) end, 0)`

/** The most verifications on a page. Written into the statement, so that the planner knows how few rows a kept plan reads. */
const pageRows = sql`100`

/** An owner's verifications of one day, newest first. */
export async function readVerificationList(
  db: Db,
  day: string,
  owner: VerificationOwner,
  { before, limit, max_bytes }: PageRequest,
): Promise<ListedVerification[]> {
  return db.query<ListedVerification>(sql`
    ${selectPage(
      sql`
        select * from (
          select * from verification_sessions s
          where ${ofOwner(day, owner)} and s.created_at < ${before}
          order by s.created_at desc
          limit ${pageRows}
        ) s
        order by s.created_at desc
        limit ${limit}`,
      max_bytes,
    )}
    order by s.created_at desc`)
}

/** Conditions on the verifications of a list. Absent: any. */
export type VerificationFilter = {
  status: StatusName | null
  template: string | null
  metadata: MetadataCondition | null
  /** Created after this time: a time, or `-infinity`. */
  after: string
}

/** The pairs that the metadata must have, or a value that one of its members must have, whatever the case of its ASCII letters. */
export type MetadataCondition = { pairs: Record<string, string> } | { any: string }

/** The value that the index is searched for. Of several, the longest: it is the least likely to be that of many verifications. */
export function indexedValue(condition: MetadataCondition): string {
  if ('any' in condition) return condition.any
  return Object.values(condition.pairs).reduce((longest, value) =>
    value.length > longest.length ? value : longest,
  )
}

/** Whether the metadata of `s` is as a filter says. The index only has hashes, so this is checked of whatever it finds. */
export function hasMetadata(condition: MetadataCondition | null): Sql {
  if (condition === null) return sql`true`
  if ('pairs' in condition) return sql`s.metadata @> ${JSON.stringify(condition.pairs)}::jsonb`
  return sql`exists (
    select from jsonb_each_text(s.metadata) as m where lower(m.value collate "C") = lower(${condition.any} collate "C"))`
}

/** How many verifications were scanned, and when the last of them was created: the next scan continues there. */
export type Scanned = { seen: number; last_at: string | null }

/** How many verifications one statement scans for those that pass a filter. */
export const scanRows = 1000
/** The same in a statement: written into its text, as `pageRows`. */
const scanLimit = sql`1000`

/** The newest verifications of one day that pass a filter, among the next `scanRows`. */
export async function scanVerifications(
  db: Db,
  { day, owner, filter }: { day: string; owner: VerificationOwner; filter: VerificationFilter },
  { before, limit, max_bytes }: PageRequest,
): Promise<Scanned & { rows: ListedVerification[] }> {
  const found = await db.query<ListedVerification & Scanned & { id: string | null }>(sql`
    with scanned as materialized (${selectScanned(day, owner, { before, ...filter })})
    select counted.seen, counted.last_at, page.*
    from (select count(*) as seen, min(created_at) as last_at from scanned) counted
    left join (
      ${selectPage(
        sql`
          select * from scanned s
          where (${filter.status}::text is null or ${shownStatus} = ${filter.status})
            and (${filter.template}::text is null or s.template = ${filter.template})
            and ${hasMetadata(filter.metadata)}
          order by s.created_at desc
          limit ${limit}`,
        max_bytes,
      )}
    ) page on true
    order by page.created_at desc`)
  return {
    rows: found.filter(({ id }) => id !== null),
    seen: found[0]?.seen ?? 0,
    last_at: found[0]?.last_at ?? null,
  }
}

/**
 * The next verifications to scan for a filter, newest first. Those that are not in the index of metadata yet are read as without one, so
 * that none is missed: the worker indexes them later.
 */
export function selectScanned(
  day: string,
  owner: VerificationOwner,
  { before, after, metadata }: Pick<VerificationFilter, 'after' | 'metadata'> & { before: string },
): Sql {
  const selectNewest = (more: Sql) => sql`
    select * from verification_sessions s
    where ${ofOwner(day, owner)} and s.created_at < ${before} and s.created_at > ${after} ${more}
    order by s.created_at desc
    limit ${scanLimit}`
  if (metadata === null) return selectNewest(sql``)
  const unindexed = sql`
    and s.created_at > coalesce((select indexed_until from metadata_marks where tenant_id = ${owner.tenant_id}), '-infinity')`
  return sql`
    select * from (
      (${selectNewest(unindexed)})
      union all
      (select s.* from (
        select m.created_at from verification_metadata m
        where m.day = ${cachedDayLiteral(day)} and m.tenant_id = ${owner.tenant_id}
          and m.hash = metadata_hash(${owner.environment}, ${indexedValue(metadata)})
          and m.created_at < ${before} and m.created_at > ${after}
        order by m.created_at desc
      ) m
      cross join lateral (
        select * from verification_sessions s where ${ofOwner(day, owner)} and s.created_at = m.created_at limit 1
      ) s
      order by m.created_at desc
      limit ${scanLimit})
    ) s
    order by s.created_at desc
    limit ${scanLimit}`
}

/**
 * The verifications `s` that an owner has on one day. The plan is kept for recent days: it reads the index on tenant, environment and
 * time in order, whatever the values. Planning took most of the time of a list, because a result can be in any partition. That the
 * device may be null is not left to the plan: on a large table one that serves both looks dearer than a new plan each time.
 */
function ofOwner(day: string, owner: VerificationOwner): Sql {
  const ofDevice = owner.device_id === null ? sql`` : sql`and s.device_id = ${owner.device_id}`
  return sql`
    s.day = ${cachedDayLiteral(day)} and s.tenant_id = ${owner.tenant_id} and s.environment = ${owner.environment} ${ofDevice}`
}

/** Verifications with their results; the JSON of rows beyond `max_bytes` is left out. */
function selectPage(verifications: Sql, max_bytes: number): Sql {
  return sql`
    select ${verificationColumns((column) => sql`case when s.bytes <= ${max_bytes} then ${column} end`)},
      s.bytes, s.bytes > ${max_bytes} as omitted
    from (
      select s.*, r.claims, r.credentials,
        (sum(${jsonBytes(sql`s.metadata`)} + ${jsonBytes(sql`r.claims`)} + ${jsonBytes(sql`r.credentials`)})
          over (order by s.created_at desc))::float8 as bytes
      from (${verifications}) s
      ${withResult}
    ) s`
}

type WebhookReceiver = Pick<VerificationRow, 'status'> & {
  webhook_url: string | null
  forget_on_delivery: boolean
}

/** Where a verification's result is sent. Locks the verification, so that it cannot be erased until this transaction ends. */
export async function lockWebhookReceiver(
  tx: Db,
  { day, id, tenant_id, environment }: Omit<VerificationOwner, 'device_id'> & { day: string; id: string },
): Promise<WebhookReceiver | undefined> {
  const [row] = await tx.query<WebhookReceiver>(sql`
    select ${shownStatus} as status, s.webhook_url, coalesce(r.forget_on_delivery, false) as forget_on_delivery
    from verification_sessions s
    left join verification_results r on r.purge_day = s.purge_day and r.verification_id = s.id
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id}
      and (s.tenant_id = ${tenant_id} and s.environment = ${environment}) is true
    for share of s`)
  return row
}

export type LockedResult = Pick<VerificationRow, 'status' | 'template' | 'claims' | 'responded_at'> & {
  /** The hash of the code that the wallet's redirect brought to a browser. Null if the wallet was on another device. */
  code_hash: Buffer | null
  /** The issuer of each claim, as it was known when the wallet responded. */
  claim_issuers: Record<string, string> | null
}

/** A verification with its claims. Locks the verification, so that it cannot be erased until this transaction ends. */
export async function lockVerificationResult(
  tx: Db,
  { day, id, tenant_id, environment }: Omit<VerificationOwner, 'device_id'> & { day: string; id: string },
): Promise<LockedResult | undefined> {
  const [row] = await tx.query<LockedResult>(sql`
    select ${shownStatus} as status, s.template, s.responded_at, r.claims, r.claim_issuers, s.response_code_hash as code_hash
    from verification_sessions s
    ${withResult}
    where s.day = ${cachedDayLiteral(day)} and s.id = ${id}
      and (s.tenant_id = ${tenant_id} and s.environment = ${environment}) is true
    for share of s`)
  return row
}

export type VerificationOwnerRow = {
  tenant_id: string
  environment: Environment
  status: StatusName
  created_at: string
  expires_at: string
  responded_at: string | null
}

/** A verification of any tenant, for the operator. Its result is not even read. */
export async function readVerificationOwner(
  db: Db,
  { day, id }: { day: string; id: string },
): Promise<VerificationOwnerRow | undefined> {
  const [row] = await db.query<VerificationOwnerRow>(sql`
    select s.tenant_id, s.environment, ${shownStatus} as status, s.created_at, s.expires_at,
      case when not ${withheld} then s.responded_at end as responded_at
    from verification_sessions s where s.day = ${day} and s.id = ${id}`)
  return row
}
