import type { RegistrationFinding, RegistrationSettings } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { RegistrationContents } from './contents.ts'

/** More than a tenant has intended uses. */
export const maxRegistrations = 20
/** The templates of a tenant that name a registration, of all its registrations. */
export const maxAssignments = 1000

export type RegistrationKey = { tenant_id: string; id: string }

export type RegistrationRow = RegistrationKey & {
  name: string
  is_default: boolean
  contents: RegistrationContents
  findings: RegistrationFinding[]
  expires_at: string | null
  created_at: string
  checked_at: string | null
  /** The keys of the templates that name it. */
  templates: string[]
}

const columns = sql`
  r.tenant_id, r.id, r.name, r.is_default, r.contents, r.findings, r.expires_at, r.created_at, r.checked_at,
  array(
    select t.template from template_registrations t
    where t.tenant_id = r.tenant_id and t.registration_id = r.id
    order by t.template
    limit ${maxAssignments}) as templates`

/** The default first, then by age. */
export async function listRegistrations(db: Db, tenant_id: string): Promise<RegistrationRow[]> {
  return db.query<RegistrationRow>(sql`
    select ${columns} from registrations r
    where r.tenant_id = ${tenant_id}
    order by r.is_default desc, r.created_at, r.id
    limit ${maxRegistrations}`)
}

export async function findRegistration(
  db: Db,
  { tenant_id, id }: RegistrationKey,
): Promise<RegistrationRow | undefined> {
  const [row] = await db.query<RegistrationRow>(
    sql`select ${columns} from registrations r where r.tenant_id = ${tenant_id} and r.id = ${id}`,
  )
  return row
}

/** What is checked and carried, apart from what lists show. */
export type CertificateRow = {
  token: string
  fingerprint: Buffer
  dataset: object | null
  info_base64url: Buffer
  info_jwt: Buffer
}

export async function findCertificate(
  db: Db,
  { tenant_id, id }: RegistrationKey,
): Promise<CertificateRow | undefined> {
  const [row] = await db.query<CertificateRow>(sql`
    select token, fingerprint, dataset, info_base64url, info_jwt from registrations
    where tenant_id = ${tenant_id} and id = ${id}`)
  return row
}

/** The certificates of all registrations of a tenant, by the ids of the registrations. */
export async function readCertificates(
  db: Db,
  tenant_id: string,
): Promise<Pick<CertificateRow & RegistrationKey, 'id' | 'token' | 'fingerprint' | 'dataset'>[]> {
  return db.query(sql`
    select id, token, fingerprint, dataset from registrations where tenant_id = ${tenant_id} limit ${maxRegistrations}`)
}

/** The registration that composed this verifier_info, in either encoding. */
export async function findByInfo(
  db: Db,
  { tenant_id, info }: { tenant_id: string; info: Buffer },
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await db.query<{ id: string; name: string }>(sql`
    select id, name from registrations
    where tenant_id = ${tenant_id} and (info_base64url = ${info} or info_jwt = ${info})
    limit 1`)
  return row
}

export async function countRegistrations(tx: Db, tenant_id: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from registrations where tenant_id = ${tenant_id}`,
  )
  return row?.count ?? 0
}

export type NewRegistration = {
  tenant_id: string
  name: string
  token: string
  fingerprint: Buffer
  contents: RegistrationContents
  dataset: object | null
  info_base64url: Buffer
  info_jwt: Buffer
  findings: RegistrationFinding[]
  /** Seconds since 1970. */
  expires_at: number | null
}

/** Undefined if the tenant has this certificate already. */
export async function insertRegistration(tx: Db, row: NewRegistration): Promise<string | undefined> {
  const [inserted] = await tx.query<{ id: string }>(sql`
    insert into registrations (tenant_id, name, is_default, token, fingerprint, contents, dataset, info_base64url, info_jwt,
      findings, expires_at, checked_at, check_due_at)
    values (${row.tenant_id}, ${row.name}, false, ${row.token}, ${row.fingerprint}, ${JSON.stringify(row.contents)}::jsonb,
      ${row.dataset === null ? null : JSON.stringify(row.dataset)}::jsonb, ${row.info_base64url}, ${row.info_jwt},
      ${JSON.stringify(row.findings)}::jsonb, to_timestamp(${row.expires_at}::float8), service_now(),
      service_now() + interval '1 day')
    on conflict (tenant_id, fingerprint) do nothing
    returning id`)
  return inserted?.id
}

/** Makes a registration the default instead of the current one; without an id, the tenant has none. */
export async function setDefault(
  tx: Db,
  { tenant_id, id }: { tenant_id: string; id: string | null },
): Promise<void> {
  // The unique index allows only one default, so the old one ends first.
  await tx.execute(sql`
    update registrations set is_default = false
    where tenant_id = ${tenant_id} and is_default and id is distinct from ${id}::uuid`)
  if (id !== null)
    await tx.execute(
      sql`update registrations set is_default = true where tenant_id = ${tenant_id} and id = ${id} and not is_default`,
    )
}

export async function renameRegistration(
  tx: Db,
  { tenant_id, id, name }: RegistrationKey & { name: string },
): Promise<void> {
  await tx.execute(sql`update registrations set name = ${name} where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Locks it until the transaction ends; a template cannot begin to name it meanwhile. False if the tenant has no such registration. */
export async function lockRegistration(tx: Db, { tenant_id, id }: RegistrationKey): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from registrations where tenant_id = ${tenant_id} and id = ${id} for update`,
  )
  return rows.length > 0
}

export async function deleteRegistration(tx: Db, { tenant_id, id }: RegistrationKey): Promise<void> {
  await tx.execute(sql`delete from registrations where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Lets a template name a registration. False if the tenant has no such registration. */
export async function putAssignment(
  tx: Db,
  { tenant_id, id, template }: RegistrationKey & { template: string },
): Promise<boolean> {
  const count = await tx.execute(sql`
    insert into template_registrations (tenant_id, template, registration_id)
    select tenant_id, ${template}, id from registrations where tenant_id = ${tenant_id} and id = ${id} for key share
    on conflict (tenant_id, template) do update set registration_id = excluded.registration_id`)
  return count > 0
}

export async function deleteAssignment(
  tx: Db,
  { tenant_id, template }: { tenant_id: string; template: string },
): Promise<void> {
  await tx.execute(
    sql`delete from template_registrations where tenant_id = ${tenant_id} and template = ${template}`,
  )
}

export async function countAssignments(tx: Db, tenant_id: string, besides: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from template_registrations where tenant_id = ${tenant_id} and template <> ${besides}`)
  return row?.count ?? 0
}

export async function readSettings(db: Db, tenant_id: string): Promise<RegistrationSettings | undefined> {
  const [row] = await db.query<RegistrationSettings>(
    sql`select encoding, policy from registration_settings where tenant_id = ${tenant_id}`,
  )
  return row
}

/** Absent members stay unchanged. False if there is no such tenant. */
export async function putSettings(
  tx: Db,
  {
    tenant_id,
    encoding = null,
    policy = null,
  }: { tenant_id: string } & { [Name in keyof RegistrationSettings]?: RegistrationSettings[Name] | null },
): Promise<boolean> {
  const count = await tx.execute(sql`
    insert into registration_settings (tenant_id, encoding, policy)
    select id, coalesce(${encoding}::text, 'base64url'), coalesce(${policy}::text, 'warn') from tenants where id = ${tenant_id}
    on conflict (tenant_id) do update
    set encoding = coalesce(${encoding}::text, registration_settings.encoding),
      policy = coalesce(${policy}::text, registration_settings.policy)`)
  return count > 0
}

/** Stores what a check found. False if it was removed meanwhile. */
export async function saveCheck(
  tx: Db,
  { tenant_id, id, findings }: RegistrationKey & { findings: RegistrationFinding[] },
): Promise<boolean> {
  const count = await tx.execute(sql`
    update registrations
    set findings = ${JSON.stringify(findings)}::jsonb, checked_at = service_now(),
      check_due_at = service_now() + interval '1 day'
    where id = ${id} and tenant_id = ${tenant_id}`)
  return count > 0
}

/** Claims registrations that are due for a check. Other workers leave them alone for an hour, whatever happens to this one. */
export async function claimDue(db: Db, limit: number): Promise<RegistrationKey[]> {
  return db.query<RegistrationKey>(sql`
    update registrations r set check_due_at = service_now() + interval '1 hour'
    from (
      select tenant_id, id from registrations
      where check_due_at <= service_now()
      order by check_due_at
      limit ${limit}
      for update skip locked
    ) due
    where r.tenant_id = due.tenant_id and r.id = due.id
    returning r.tenant_id, r.id`)
}

/** Lets the worker check all registrations of a tenant soon. */
export async function setAllDue(tx: Db, tenant_id: string): Promise<void> {
  await tx.execute(sql`update registrations set check_due_at = service_now() where tenant_id = ${tenant_id}`)
}

export type RegistrationEndRow = RegistrationKey & { name: string; expires_at: string }

/** A page of the registrations of all tenants that have ended or will end within this many days, in the order of their keys. */
export async function readEnds(
  db: Db,
  { after, days, limit }: { after: RegistrationKey; days: number; limit: number },
): Promise<RegistrationEndRow[]> {
  return db.query<RegistrationEndRow>(sql`
    select tenant_id, id, name, expires_at from registrations
    where (tenant_id, id) > (${after.tenant_id}, ${after.id})
      and expires_at <= service_now() + make_interval(days => ${days}::integer)
    order by tenant_id, id
    limit ${limit}`)
}

export type RegistrationCounts = {
  ok: number
  ends_soon: number
  ended: number
  refused: number
}

/** How many registrations of all tenants are in each state. Each is counted once. */
export async function countStates(db: Db, { days }: { days: number }): Promise<RegistrationCounts> {
  const [row] = await db.query<RegistrationCounts>(sql`
    with states as (
      select case
        when expires_at <= service_now() then 'ended'
        when findings @? '$[*] ? (@.status == "fail")' then 'refused'
        when expires_at <= service_now() + make_interval(days => ${days}::integer) then 'ends_soon'
        else 'ok' end as state
      from registrations
    )
    select count(*) filter (where state = 'ok') as ok, count(*) filter (where state = 'ends_soon') as ends_soon,
      count(*) filter (where state = 'ended') as ended, count(*) filter (where state = 'refused') as refused
    from states`)
  return row ?? { ok: 0, ends_soon: 0, ended: 0, refused: 0 }
}
