import type { ParameterisedTemplate } from '@vidimus/protocol'
import { type Db, type AsOf, queryWithAsOf } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'

type TemplateRow = { key: string; name: string; description: string; updated_at: string }

/** Inserts versions that do not exist yet. A version never changes: it is identified by its hash. */
export async function insertVersions(db: Db, versions: { hash: Buffer; body: string }[]): Promise<void> {
  await db.execute(sql`
    insert into template_versions (hash, body)
    select * from unnest(${versions.map(({ hash }) => hash)}::bytea[], ${versions.map(({ body }) => body)}::jsonb[])
    on conflict do nothing`)
}

export async function putTemplate(
  db: Db,
  { tenant_id, key, version }: { tenant_id: string; key: string; version: Buffer },
): Promise<void> {
  await db.execute(sql`
    insert into templates (tenant_id, key, version) values (${tenant_id}, ${key}, ${version})
    on conflict (tenant_id, key) do update set version = excluded.version, updated_at = service_now()`)
}

/** Those of the keys that are the tenant's own templates. They cannot be deleted until the transaction ends. */
export async function lockTemplates(
  tx: Db,
  { tenant_id, keys }: { tenant_id: string; keys: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(sql`
    select key from templates where tenant_id = ${tenant_id} and key = any (${keys}::text[]) order by key for key share`)
  return rows.map(({ key }) => key)
}

/** Waits for transactions that need the template. False if the tenant has none with this key. */
export async function lockTemplateForUpdate(tx: Db, { tenant_id, key }: TemplateKey): Promise<boolean> {
  const rows = await tx.query(
    sql`select key from templates where tenant_id = ${tenant_id} and key = ${key} for update`,
  )
  return rows.length > 0
}

/** Its versions stay, for the verifications that were created with them. */
export async function deleteTemplate(tx: Db, { tenant_id, key }: TemplateKey): Promise<void> {
  await tx.execute(sql`delete from templates where tenant_id = ${tenant_id} and key = ${key}`)
}

/** How many templates a tenant has besides this one. */
export async function countTemplates(tx: Db, tenant_id: string, besides: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from templates where tenant_id = ${tenant_id} and key <> ${besides}`,
  )
  return row?.count ?? 0
}

export type TemplateKey = { tenant_id: string; key: string }

/** The version that a key has now. `asks_input`: what a creation gives besides the key decides what it asks. */
export type CurrentVersion = { version: Buffer; asks_input: boolean }

/** The current version of each requested template; `place` is the position of its key, from 1. */
export async function findTemplates(
  db: Db,
  keys: TemplateKey[],
): Promise<{ asOf: AsOf; rows: ({ place: number } & CurrentVersion)[] }> {
  return queryWithAsOf(
    db,
    sql`
    select requested.place, t.version, 
      v.body ? 'parameters' or jsonb_path_exists(v.body, '$.derive.*.matches') as asks_input
    from unnest(${keys.map(({ tenant_id }) => tenant_id)}::uuid[], ${keys.map(({ key }) => key)}::text[])
      with ordinality as requested (tenant_id, key, place)
    join templates t on t.tenant_id = requested.tenant_id and t.key = requested.key
    join template_versions v on v.hash = t.version`,
  )
}

/** The keys of a tenant's own templates. */
export async function listTemplateKeys(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    sql`select key from templates where tenant_id = ${tenantId} order by key limit 1000`,
  )
  return rows.map(({ key }) => key)
}

type TemplateBodyRow = { key: string; body: unknown }

/** A tenant's own templates with their bodies, by key. Ends after the one that exceeds `max_bytes` of JSON together. */
export async function readTemplateBodies(
  db: Db,
  { tenant_id, max_bytes }: { tenant_id: string; max_bytes: number },
): Promise<{ rows: TemplateBodyRow[]; complete: boolean }> {
  const rows = await db.query<TemplateBodyRow & { bytes: number }>(sql`
    select key, body, bytes from (
      select t.key, v.body, (sum(octet_length(v.body::text)) over (order by t.key))::integer as bytes
      from templates t
      join template_versions v on v.hash = t.version
      where t.tenant_id = ${tenant_id}
    ) counted
    where bytes - octet_length(body::text) <= ${max_bytes}
    order by key
    limit 1000`)
  return { rows, complete: (rows.at(-1)?.bytes ?? 0) <= max_bytes }
}

export async function listTemplates(db: Db, tenantId: string): Promise<TemplateRow[]> {
  return db.query<TemplateRow>(sql`
    select t.key, v.body ->> 'name' as name, v.body ->> 'description' as description, t.updated_at
    from templates t
    join template_versions v on v.hash = t.version
    where t.tenant_id = ${tenantId}
    order by t.key
    limit 1000`)
}

export type UsableTemplateRow = TemplateRow & {
  version: Buffer
  /** The names of its vocabulary, without those that others are derived from; null if it has none. */
  claim_names: string[] | null
  /** The paths of the claims that its query requests. */
  paths: unknown[][]
  parameters: ParameterisedTemplate['parameters'] | null
  /** The names of the claims that it compares. */
  compared: string[]
}

/** A tenant's templates with what they ask for, but without their bodies. */
export async function listUsableTemplates(db: Db, tenantId: string): Promise<UsableTemplateRow[]> {
  return db.query<UsableTemplateRow>(sql`
    select t.key, v.body ->> 'name' as name, v.body ->> 'description' as description, t.updated_at, t.version,
      case when v.body ? 'claims' then array(
        select name from jsonb_object_keys(v.body -> 'claims') as name
        where not jsonb_path_exists(v.body, '$.derive.*.from ? (@ == $name)', jsonb_build_object('name', name))
        union all
        select name from jsonb_object_keys(v.body -> 'derive') as name where not v.body -> 'claims' ? name
      ) end as claim_names,
      jsonb_path_query_array(v.body, '$.query.credentials[*].claims[*].path') as paths, v.body -> 'parameters' as parameters,
      jsonb_path_query_array(v.body, '$.derive.* ? (exists(@.matches)).from') as compared
    from templates t
    join template_versions v on v.hash = t.version
    where t.tenant_id = ${tenantId}
    order by t.key
    limit 1000`)
}

/** The body of a version; undefined if there is none with that hash. */
export async function findVersion(db: Db, hash: Buffer): Promise<unknown> {
  const [row] = await db.query<{ body: unknown }>(
    sql`select body from template_versions where hash = ${hash}`,
  )
  return row?.body
}
