import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** Every statement of the transaction sees the same rows. */
export async function beginSnapshot(tx: Db): Promise<void> {
  await tx.execute(sql`set transaction isolation level repeatable read, read only`)
  await allowPauses(tx)
}

/** Nothing waits longer between two statements of a copy: pages are bounded. */
export async function allowPauses(tx: Db): Promise<void> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = '10min'`)
}

/** Opens a cursor over a tenant's rows of a table. One at a time. */
export async function openRows(tx: Db, table: string, tenant_id: string): Promise<void> {
  await tx.query(sql`select open_tenant_rows(${table}, ${tenant_id})`)
}

/** The next rows, each as JSON. */
export async function fetchRows(tx: Db): Promise<string[]> {
  const rows = await tx.query<{ row: string }>(sql`fetch 1000 from tenant_rows`)
  return rows.map(({ row }) => row)
}

export async function closeRows(tx: Db): Promise<void> {
  await tx.execute(sql`close tenant_rows`)
}

export async function insertRows(tx: Db, table: string, rows: readonly string[]): Promise<void> {
  await tx.query(sql`select insert_tenant_rows(${table}, ${`[${rows.join(',')}]`}::jsonb)`)
}

export type RowsDigest = { rows: number; digest: string }

export async function digestRows(
  tx: Db,
  { table, tenant_id, without }: { table: string; tenant_id: string; without: readonly string[] },
): Promise<RowsDigest> {
  const [row] = await tx.query<RowsDigest>(
    sql`select rows, digest from digest_tenant_rows(${table}, ${tenant_id}, ${without}::text[])`,
  )
  return row ?? { rows: 0, digest: '' }
}

/** The days for which the tenant has rows in a table that is partitioned by day. */
export async function readRowDays(tx: Db, table: string, tenant_id: string): Promise<string[]> {
  const rows = await tx.query<{ day: string }>(
    sql`select day from tenant_row_days(${table}, ${tenant_id}) order by day limit 40000`,
  )
  return rows.map(({ day }) => day)
}

export async function makePartition(db: Db, table: string, day: string): Promise<void> {
  await db.query(sql`select make_partitions(${table}, ${day}, ${day})`)
}

type JsonRow = { row: string }

/** The tenant's plan. A plan that the target has under the same name stays as it is there. */
export async function readPlan(tx: Db, tenant_id: string): Promise<string[]> {
  const rows = await tx.query<JsonRow>(sql`
    select (to_jsonb(p) || '{"by_default": false}')::text as row
    from plans p where p.name = (select plan from tenants where id = ${tenant_id})`)
  return rows.map(({ row }) => row)
}

export async function insertPlans(tx: Db, rows: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into plans
    select * from jsonb_populate_recordset(null::plans, ${`[${rows.join(',')}]`}::jsonb)
    on conflict do nothing`)
}

/** Versions of templates that the tenant's verifications and templates name by their hash. */
export async function readTemplateVersions(tx: Db, tenant_id: string): Promise<string[]> {
  const rows = await tx.query<JsonRow>(sql`
    select to_jsonb(v)::text as row from template_versions v
    where v.hash in (
      select template_version from verification_sessions where tenant_id = ${tenant_id}
      union select version from templates where tenant_id = ${tenant_id})
    limit 100000`)
  return rows.map(({ row }) => row)
}

export async function insertTemplateVersions(tx: Db, rows: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into template_versions
    select * from jsonb_populate_recordset(null::template_versions, ${`[${rows.join(',')}]`}::jsonb)
    on conflict do nothing`)
}

/** Statements about the verifier that the tenant's registrations and verifications name by their hash. */
export async function readVerifierInfos(tx: Db, tenant_id: string): Promise<string[]> {
  const rows = await tx.query<JsonRow>(sql`
    select to_jsonb(v)::text as row from verifier_infos v
    where v.hash in (
      select info_base64url from registrations where tenant_id = ${tenant_id}
      union select info_jwt from registrations where tenant_id = ${tenant_id}
      union select distinct substring(certificate from 33) from verification_sessions
        where tenant_id = ${tenant_id} and octet_length(certificate) > 32)
    limit 100000`)
  return rows.map(({ row }) => row)
}

export async function insertVerifierInfos(tx: Db, rows: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into verifier_infos
    select * from jsonb_populate_recordset(null::verifier_infos, ${`[${rows.join(',')}]`}::jsonb)
    on conflict do nothing`)
}

/** Access certificates that the tenant's verifications were signed with and that are not its own. */
export async function readSharedCertificates(tx: Db, tenant_id: string): Promise<string[]> {
  const rows = await tx.query<JsonRow>(sql`
    select to_jsonb(c)::text as row from access_certificates c
    where c.tenant_id is distinct from ${tenant_id}::uuid and c.hash in (
      select distinct substring(certificate for 32) from verification_sessions where tenant_id = ${tenant_id}
      union select certificate from tenant_identities where tenant_id = ${tenant_id}
      union select certificate from ecosystem_identities where tenant_id = ${tenant_id})
    limit 10000`)
  return rows.map(({ row }) => row)
}

export async function insertCertificates(tx: Db, rows: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into access_certificates
    select * from jsonb_populate_recordset(null::access_certificates, ${`[${rows.join(',')}]`}::jsonb)
    on conflict do nothing`)
}

/**
 * Idempotency keys that still replay. A key whose verification was erased names no tenant, so those of all tenants are read; they
 * are keyed hashes without content.
 */
export async function readIdempotencyKeys(tx: Db, tenant_id: string): Promise<string[]> {
  const rows = await tx.query<JsonRow>(sql`
    select to_jsonb(i)::text as row from idempotency_keys i
    where i.day >= service_day() - 1 and (coalesce(i.response, i.verification_id) is null or i.key_hash in (
      select idempotency_hash from verification_sessions
      where tenant_id = ${tenant_id} and day >= service_day() - 1 and idempotency_hash is not null))`)
  return rows.map(({ row }) => row)
}

export async function insertIdempotencyKeys(tx: Db, rows: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into idempotency_keys
    select * from jsonb_populate_recordset(null::idempotency_keys, ${`[${rows.join(',')}]`}::jsonb)
    on conflict do nothing`)
}

/** The row that a trigger has made for a new tenant; the tenant's own follows. */
export async function deleteNewUsage(tx: Db, tenant_id: string): Promise<void> {
  await tx.execute(sql`delete from tenant_usage where tenant_id = ${tenant_id}`)
}
