import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type LinkRow = {
  id: string
  tenant_id: string
  environment: Environment
  sealed_code: Buffer
  name: string
  template: string
  purpose: string | null
  single_use: boolean
  daily_limit: number
  redirect_url: string | null
  metadata: Record<string, string> | null
  mail_results: boolean
  active: boolean
  expires_at: string | null
  expired: boolean
  used_at: string | null
  created_today: number
  created_at: string
}

/** What a change may set. */
export type LinkSettings = Pick<
  LinkRow,
  | 'name'
  | 'template'
  | 'purpose'
  | 'daily_limit'
  | 'redirect_url'
  | 'metadata'
  | 'mail_results'
  | 'active'
  | 'expires_at'
>

/** Of a tenant. With an environment, only if the link belongs to it. */
export type LinkKey = { tenant_id: string; id: string; environment: Environment }

const columns = sql`
  l.id, l.tenant_id, l.environment, l.sealed_code, l.name, l.template, l.purpose, l.single_use, l.daily_limit, l.redirect_url,
  l.metadata, l.mail_results, l.active, l.expires_at, coalesce(l.expires_at <= service_now(), false) as expired, l.used_at,
  case when l.created_on = service_day() then l.created_count else 0 end as created_today, l.created_at`

export type NewLink = LinkSettings &
  Pick<LinkRow, 'id' | 'tenant_id' | 'environment' | 'sealed_code' | 'single_use'> & { code_hash: Buffer }

/** Requires the lock of the tenant: `created_at` always increases, so that it can be paged by. */
export async function insertLink(tx: Db, link: NewLink): Promise<void> {
  await tx.execute(sql`
    insert into verification_links (id, tenant_id, environment, code_hash, sealed_code, name, template, purpose, single_use, daily_limit,
      redirect_url, metadata, mail_results, active, expires_at, created_at)
    select ${link.id}, ${link.tenant_id}, ${link.environment}, ${link.code_hash}, ${link.sealed_code}, ${link.name}, ${link.template},
      ${link.purpose}, ${link.single_use}, ${link.daily_limit}, ${link.redirect_url}, ${link.metadata}::jsonb, ${link.mail_results},
      ${link.active}, ${link.expires_at}::timestamptz,
      greatest(service_now(), (
        select max(o.created_at) + interval '1 microsecond' from verification_links o where o.tenant_id = ${link.tenant_id}))`)
}

/** Counts up to `max`. */
export async function countLinks(tx: Db, tenant_id: string, max: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from (select from verification_links where tenant_id = ${tenant_id} limit ${max}) counted`)
  return row?.count ?? 0
}

export async function readLinks(
  db: Db,
  {
    tenant_id,
    environment,
    before,
    limit,
  }: { tenant_id: string; environment: Environment; before: string | null; limit: number },
): Promise<LinkRow[]> {
  return db.query<LinkRow>(sql`
    select ${columns} from verification_links l
    where l.tenant_id = ${tenant_id} and l.environment = ${environment} and l.created_at < coalesce(${before}::timestamptz, 'infinity')
    order by l.created_at desc
    limit ${limit}`)
}

export async function readLink(
  db: Db,
  { tenant_id, id, environment }: LinkKey,
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(sql`
    select ${columns} from verification_links l
    where l.tenant_id = ${tenant_id} and l.id = ${id} and l.environment = ${environment}`)
  return row
}

/** By the hash of its code, for whoever has its address: the code is the capability. */
export async function findLink(db: Db, code_hash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(sql`
    select ${columns} from verification_links l where l.code_hash = ${code_hash}`)
  return row
}

/** Makes other changes and visits of this link wait. Undefined if the tenant has no such link. */
export async function lockLink(
  tx: Db,
  { tenant_id, id, environment }: LinkKey,
): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>(sql`
    select ${columns} from verification_links l
    where l.tenant_id = ${tenant_id} and l.id = ${id} and l.environment = ${environment}
    for update of l`)
  return row
}

/** Requires the lock of the link. */
export async function updateLink(tx: Db, { tenant_id, id }: LinkKey, to: LinkSettings): Promise<void> {
  await tx.execute(sql`
    update verification_links
    set name = ${to.name}, template = ${to.template}, purpose = ${to.purpose}, daily_limit = ${to.daily_limit},
      redirect_url = ${to.redirect_url}, metadata = ${to.metadata}::jsonb, mail_results = ${to.mail_results}, active = ${to.active},
      expires_at = ${to.expires_at}::timestamptz
    where tenant_id = ${tenant_id} and id = ${id}`)
}

/** False if the tenant has no such link. */
export async function deleteLinkRow(
  tx: Db,
  { tenant_id, id, environment = null }: Omit<LinkKey, 'environment'> & { environment?: Environment | null },
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    delete from verification_links
    where tenant_id = ${tenant_id} and id = ${id} and (${environment}::text is null or environment = ${environment})`)
  return deleted === 1
}

/** Some of the tenant's links, in either environment, that ask with a template. */
export async function readLinksWithTemplate(
  tx: Db,
  { tenant_id, key, limit }: { tenant_id: string; key: string; limit: number },
): Promise<Pick<LinkRow, 'name' | 'environment'>[]> {
  return tx.query(sql`
    select name, environment from verification_links
    where tenant_id = ${tenant_id} and template = ${key}
    order by created_at
    limit ${limit}`)
}

export type LinkIdRow = { tenant_id: string; id: string }

/** A page of the links of all tenants, after the given one. */
export async function readLinkPage(
  db: Db,
  { after, limit }: { after: LinkIdRow | undefined; limit: number },
): Promise<LinkIdRow[]> {
  return db.query<LinkIdRow>(sql`
    select tenant_id, id from verification_links where id > ${after?.id ?? ''} order by id limit ${limit}`)
}

/** A page of the single-use links of all tenants that can still be used, after the given one. */
export async function readUnusedLinkPage(
  db: Db,
  { after, limit }: { after: LinkIdRow | undefined; limit: number },
): Promise<LinkIdRow[]> {
  return db.query<LinkIdRow>(sql`
    select tenant_id, id from verification_links
    where id > ${after?.id ?? ''} and single_use and used_at is null
    order by id
    limit ${limit}`)
}

/** Uses up a single-use link whose use the erasure ledger has. */
export async function markLinkUsed(tx: Db, { tenant_id, id }: LinkIdRow): Promise<void> {
  await tx.execute(sql`
    update verification_links set used_at = service_now(), use_recorded = true
    where tenant_id = ${tenant_id} and id = ${id} and used_at is null`)
}

/** Whether uses are not in the erasure ledger yet. One statement, because a worker asks again and again. */
export async function hasUnrecordedUses(db: Db): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select from verification_links where used_at is not null and not use_recorded) as found`)
  return row?.found === true
}

/** Marks uses as recorded in the erasure ledger. Another worker gets those that are left. */
export async function takeUnrecordedUses(tx: Db, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update verification_links set use_recorded = true
    where id in (
      select id from verification_links where used_at is not null and not use_recorded
      order by id limit ${limit} for update skip locked)
    returning id`)
  return rows.map(({ id }) => id)
}

/** Deletes links that expired or were used this long ago, and whose use is recorded. */
export async function deleteEndedLinks(
  tx: Db,
  { after_days, limit }: { after_days: number; limit: number },
): Promise<(LinkIdRow & Pick<LinkRow, 'environment'>)[]> {
  return tx.query(sql`
    delete from verification_links
    where id in (
      select id from verification_links
      where least(expires_at, used_at) <= service_now() - make_interval(days => ${after_days}::integer)
        and (used_at is null or use_recorded)
      limit ${limit} for update skip locked)
    returning tenant_id, id, environment`)
}

/** Tenants whose oldest result to mail has waited this long. */
export async function readTenantsWithResults(
  db: Db,
  { after_seconds, limit }: { after_seconds: number; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql`
    select distinct r.tenant_id from link_results r
    where r.at <= service_now() - make_interval(secs => ${after_seconds}::integer)
    limit ${limit}`)
  return rows.map(({ tenant_id }) => tenant_id)
}

export type LinkResultRow = {
  environment: Environment
  link_id: string
  verification_id: string
  status: 'completed' | 'failed'
  at: string
  /** Null if the link was deleted meanwhile. */
  link: string | null
}

/** Takes a tenant's results to mail, oldest first. Another worker gets those that are left. */
export async function takeResults(tx: Db, tenant_id: string, limit: number): Promise<LinkResultRow[]> {
  const rows = await tx.query<LinkResultRow>(sql`
    delete from link_results r
    where r.id in (
      select id from link_results where tenant_id = ${tenant_id} order by id limit ${limit} for update skip locked)
    returning r.environment, r.link_id, r.verification_id, r.status, r.at,
      (select l.name from verification_links l where l.id = r.link_id) as link`)
  return rows.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}
