import type { Predicate } from './list-predicates.ts'

export type Exemption = {
  /** A store's path, or the beginning of an SQL function's name. */
  in: string
  line: string
  reason: string
  /** Predicates of one group back each other up: one may be missing, but not all. The run also removes all of them together. */
  group?: string
}

/** The exemption of a predicate, if it has one. */
export function findExemption(predicate: Predicate | undefined): Exemption | undefined {
  return exemptions.find(
    ({ in: where, line }) => predicate?.in.startsWith(where) === true && predicate.line === line,
  )
}

/** Tenant predicates whose removal the matrix cannot notice, with the reason. */
export const exemptions: readonly Exemption[] = [
  {
    in: 'count_erased_outcome',
    line: 'where m.tenant_id = old.tenant_id and m.environment = old.environment and old.created_at < m.counted_before',
    reason: 'A trigger, which no statement names. The matrix erases a verification that it would miss.',
  },
  {
    in: 'erase_verification',
    line: 'where s.day = of_day and s.id = of_id and (s.tenant_id = of_tenant and s.environment = in_environment) is true;',
    reason: 'The check before the lock; the deletion checks again.',
    group: 'erasing',
  },
  {
    in: 'erase_verification',
    line: 'where s.day = of_day and s.id = of_id and (s.tenant_id = of_tenant and s.environment = in_environment) is true',
    reason: 'The deletion; the query before the lock has checked the tenant.',
    group: 'erasing',
  },
  {
    in: 'last_used_day',
    line: 'select day from tenant_usage where tenant_id = of_tenant and used > 0 and day <= until_day',
    reason:
      'It only lists candidate days. The query for the verifications of a day has its own tenant predicate.',
  },
  {
    in: 'last_used_day',
    line: 'select max(day) from usage_days where tenant_id = of_tenant and day <= until_day',
    reason: 'As above.',
  },
  {
    in: 'days_with_metadata',
    line: 'from metadata_marks m where m.tenant_id = of_tenant;',
    reason: 'As above.',
  },
  {
    in: 'index_metadata',
    line: 'select * into usage from tenant_usage u where u.tenant_id = of_tenant;',
    reason: 'It decides when the tenant is indexed again.',
  },
  {
    in: 'index_metadata',
    line: 'select m.indexed_until into until from metadata_marks m where m.tenant_id = of_tenant;',
    reason: 'It decides where indexing continues. What is indexed has its own tenant predicate.',
  },
  {
    in: 'index_metadata',
    line: 'select u.day from tenant_usage u where u.tenant_id = of_tenant and u.used > 0',
    reason: 'It only lists candidate days.',
  },
  {
    in: 'index_metadata',
    line: 'select u.day from usage_days u where u.tenant_id = of_tenant',
    reason: 'As above.',
  },
  {
    in: 'forget_metadata',
    line: 'where m.day = old.day and m.tenant_id = old.tenant_id and m.hash = given_hash and m.created_at = old.created_at;',
    reason: 'A trigger, which no statement names. A test counts what an erasure leaves.',
  },
  {
    in: 'apps/service/src/verifications/metadata/store.ts',
    line: 'from tenant_usage u left join metadata_marks m on m.tenant_id = u.tenant_id',
    reason: 'It decides which tenants are indexed, and nothing is read.',
  },
  {
    in: 'apps/service/src/verifications/store.ts',
    line: 'where m.day = ${cachedDayLiteral(day)} and m.tenant_id = ${owner.tenant_id}',
    reason: 'It only lists candidates. The query for the verification has its own tenant predicate.',
  },
  {
    in: 'record_responses',
    line: 'join webhook_listeners l on l.tenant_id = g.tenant_id and l.until > service_now()',
    reason:
      "A forward belongs to the verification's tenant, and a listener reads only forwards of its own tenant: nobody would read an additional one.",
  },
  {
    in: 'apps/service/src/deliveries/webhooks/listen/store.ts',
    line: 'where l.tenant_id = ${tenant_id} and l.until > service_now()`)',
    reason: 'As above, for a result that was held back.',
  },
  {
    in: 'apps/service/src/trust/tenant/store.ts',
    line: 'where tenant_id = ${tenant_id} and environment = ${environment}`)',
    reason: 'It counts towards a limit. Without it the limit is reached sooner, and nothing is read.',
  },
  {
    in: 'apps/service/src/audit/alerts/store.ts',
    line: "and (not ${aboutAccess}::boolean or exists (select from members m where m.tenant_id = t.id and m.role = 'owner'))",
    reason: 'Without it an alert is raised in a tenant that has no owner yet, and nothing is read.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'where t.tenant_id = r.tenant_id and t.registration_id = r.id',
    reason: 'The id of a registration is random, and no other tenant has it.',
  },
  {
    in: 'apps/service/src/trust/registrations/select/select-store.ts',
    line: 'where t.tenant_id = r.tenant_id and t.registration_id = r.id',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/registrations/select/select-store.ts',
    line: 'where r.tenant_id = ${oneOf(sql`${tenantIds}::uuid[]`)}`,',
    reason: 'It limits what is read. Each caller gets the rows with its own id.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'sql`select count(*) as count from registrations where tenant_id = ${tenant_id}`,',
    reason: 'It counts towards a limit. Without it the limit is reached sooner, and nothing is read.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'select count(*) as count from template_registrations where tenant_id = ${tenant_id} and template <> ${besides}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'sql`update registrations set is_default = true where tenant_id = ${tenant_id} and id = ${id} and not is_default`,',
    reason: 'The row was found with its tenant in the same transaction.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'await tx.execute(sql`update registrations set name = ${name} where tenant_id = ${tenant_id} and id = ${id}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'where id = ${id} and tenant_id = ${tenant_id}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'where r.tenant_id = due.tenant_id and r.id = due.id',
    reason: 'The id of a registration is random, and no other tenant has it.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'await tx.execute(sql`update registrations set check_due_at = service_now() where tenant_id = ${tenant_id}`)',
    reason: 'It only lets the worker check registrations earlier.',
  },
  {
    in: 'apps/service/src/trust/registrations/store.ts',
    line: 'await tx.execute(sql`delete from registrations where tenant_id = ${tenant_id} and id = ${id}`)',
    reason: 'The row was locked with its tenant in the same transaction.',
  },
  {
    in: 'apps/service/src/holder/openid-provider/clients/store.ts',
    line: 'where s.client_id = c.id and s.tenant_id = c.tenant_id and coalesce(s.expires_at > service_now(), true)',
    reason: 'The id of a client is random, and no other tenant has it.',
  },
  {
    in: 'apps/service/src/audit/chain/store.ts',
    line: 'where tenant_id = any (${tenants}::uuid[])',
    reason: 'It limits what is locked. Each chain is picked from the result by its tenant.',
  },
  {
    in: 'apps/service/src/audit/changes-store.ts',
    line: 'sql`select tenant_id, seq from audit_chains where tenant_id = any (${tenants}::uuid[])`,',
    reason: 'It limits what is read. Tenants that nobody follows are discarded before the next read.',
  },
  {
    in: 'apps/service/src/accounts/tenants/settings-store.ts',
    line: 'where id = ${oneOf(sql`${ids}::uuid[]`)}`,',
    reason: 'It limits what is read. Each caller gets the row with its own id.',
  },
  {
    in: 'apps/service/src/accounts/tenants/settings-store.ts',
    line: 'from tenants where id = ${oneOf(sql`${ids}::uuid[]`)}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/audit/chain/history-store.ts',
    line: 'sql`(${tenant_id ?? null}::uuid is null or tenant_id = ${tenant_id ?? null})`',
    reason:
      'It decides whose entries a reader waits for. Without it, the reader waits for all earlier entries.',
  },
  {
    in: 'apps/service/src/audit/chain/history-store.ts',
    line: 'join audit_chains chain on chain.tenant_id = expected.tenant',
    reason: 'As above: it decides whether to wait longer.',
  },
  {
    in: 'apps/service/src/audit/chain/history-store.ts',
    line: 'join audit_entries entry on entry.tenant_id = chain.tenant_id and entry.seq > chain.signed_seq',
    reason: 'As above: it decides whether to wait for an erasure.',
  },
  {
    in: 'apps/service/src/audit/listing/list-store.ts',
    line: 'where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq < ${before}',
    reason: 'It limits how far back a search goes. The query for the entries has its own tenant predicate.',
  },
  {
    in: 'apps/service/src/audit/listing/list-store.ts',
    line: 'where day = ${dayLiteral(day)} and tenant_id = texts.tenant_id and seq = texts.seq',
    reason: 'Entry and text each have a tenant predicate as well.',
    group: 'entries about a subject',
  },
  {
    in: 'apps/service/src/audit/listing/list-store.ts',
    line: 'where texts.day = ${dayLiteral(day)} and texts.tenant_id = ${filter.tenant_id} and texts.subject = ${subject}',
    reason: 'The entry has a tenant predicate, and the text is joined to its entry.',
    group: 'entries about a subject',
  },
  {
    in: 'apps/service/src/accounts/api-keys/store.ts',
    line: 'select created_by, expires_at from api_keys where tenant_id = ${tenant_id} and id = ${id} and revoked_at is null for share`)',
    reason: 'The id is that of the key that made the request.',
  },
  {
    in: 'apps/service/src/accounts/api-keys/store.ts',
    line: 'sql`update api_keys set created_by = ${created_by}::uuid where tenant_id = ${tenant_id} and id = ${id}`,',
    reason: 'The row was found with its tenant in the same transaction.',
  },
  {
    in: 'apps/service/src/holder/openid-provider/clients/store.ts',
    line: 'update openid_clients set created_by = ${created_by}::uuid where tenant_id = ${tenant_id} and id = ${id}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/devices/store.ts',
    line: '(select m.role from members m where m.tenant_id = devices.tenant_id and m.id = devices.registered_by) as maker_role',
    reason: 'The id of a member is random, and no other tenant has it.',
  },
  {
    in: 'apps/service/src/devices/store.ts',
    line: "where tenant_id = ${tenant_id} and registered_by = ${member_id} and status <> 'revoked'",
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/holder/openid-provider/clients/store.ts',
    line: 'where c.tenant_id = ${tenant_id} and c.created_by = ${member_id}',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/deliveries/webhooks/endpoints/store.ts',
    line: 'where tenant_id = ${tenant_id} and created_by = ${member_id}',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/tenant/store.ts',
    line: 'where tenant_id = ${tenant_id} and created_by = ${member_id}',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/identity/store.ts',
    line: 'where i.tenant_id = ${tenant_id} and i.created_by = ${member_id}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/devices/store.ts',
    line: 'where tenant_id = ${tenant_id} and id = ${id}`)',
    reason: 'The row was found with its tenant in the same transaction.',
  },
  {
    in: 'apps/service/src/deliveries/webhooks/endpoints/store.ts',
    line: 'where tenant_id = ${tenant_id} and id = ${id}`)',
    reason: 'As above.',
  },
  {
    in: 'apps/service/src/trust/tenant/store.ts',
    line: 'where tenant_id = ${tenant_id} and environment = ${environment} and fingerprint = ${fingerprint} and role = ${role}`)',
    reason: 'As above.',
  },
]
