import type { Predicate } from './list-predicates.ts'

export type Exemption = {
  /** A store's path, or the beginning of a function's name. */
  in: string
  line: string
  reason: string
  /** Stands in for the others of this name: one can be spared, all of them cannot, and the run takes all of them out to see. */
  group?: string
}

/** The exemption of a predicate, if it has one. */
export function findExemption(predicate: Predicate | undefined): Exemption | undefined {
  return exemptions.find(
    ({ in: where, line }) => predicate?.in.startsWith(where) === true && predicate.line === line,
  )
}

/** Predicates on the tenant that the matrix does not miss, and why. One that it does miss does not belong here. */
export const exemptions: readonly Exemption[] = [
  {
    in: 'erase_verification',
    line: 'where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment;',
    reason: 'The look before the lock; the deletion asks again.',
    group: 'erasing',
  },
  {
    in: 'erase_verification',
    line: 'where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment',
    reason: 'The deletion; the look before the lock has asked.',
    group: 'erasing',
  },
  {
    in: 'create_verifications',
    line: 'perform from tenant_usage u where u.tenant_id = any (callers) order by u.tenant_id for update;',
    reason: 'It locks: without it more than needed, and nobody reads anything by it.',
  },
  {
    in: 'days_with_sessions',
    line: 'select day from tenant_usage where tenant_id = of_tenant and used > 0',
    reason: 'It names days that are worth a look. The sessions of a day are asked for by their tenant again.',
  },
  {
    in: 'days_with_sessions',
    line: 'select day from usage_days where tenant_id = of_tenant',
    reason: 'As above.',
  },
  {
    in: 'record_answers',
    line: 'join webhook_listeners l on l.tenant_id = g.tenant_id and l.until > service_now()',
    reason:
      "A forward is the session's tenant's, and a listener reads those of its own tenant: one more would be read by nobody.",
  },
  {
    in: 'apps/service/src/webhooks/listen/store.ts',
    line: 'where l.tenant_id = ${tenant_id} and l.until > service_now()`)',
    reason: 'As above, for an outcome that was held back.',
  },
  {
    in: 'apps/service/src/trust/tenant/store.ts',
    line: 'where tenant_id = ${tenant_id} and environment = ${environment}`)',
    reason: 'It counts against a bound: without it the bound is met sooner, and nothing is read by it.',
  },
  {
    in: 'apps/service/src/audit/chain/store.ts',
    line: 'where tenant_id = any (${tenants}::uuid[])',
    reason: 'It bounds what is locked. Each chain is found by its tenant in what comes back.',
  },
  {
    in: 'apps/service/src/audit/changes-store.ts',
    line: 'sql`select tenant_id, seq from audit_chains where tenant_id = any (${tenants}::uuid[])`,',
    reason: 'It bounds what is read. A tenant that nobody follows is let go of before the next look.',
  },
  {
    in: 'apps/service/src/tenants/store.ts',
    line: 'where id = ${oneOf(sql`${ids}::uuid[]`)}`)',
    reason: 'It bounds what is read. Each tenant is given the row of its own id.',
  },
  {
    in: 'apps/service/src/audit/chain/history-store.ts',
    line: 'sql`(${tenantId ?? null}::uuid is null or tenant_id = ${tenantId ?? null})`',
    reason: 'It decides for whose entries a reader waits: without it, for all that came before.',
  },
  {
    in: 'apps/service/src/audit/chain/history-store.ts',
    line: 'join audit_chains chain on chain.tenant_id = wanted.tenant',
    reason: 'As above: whether to wait longer.',
  },
  {
    in: 'apps/service/src/audit/chain/history-store.ts',
    line: 'join audit_entries entry on entry.tenant_id = chain.tenant_id and entry.seq > chain.signed_seq',
    reason: 'As above: whether an erasure is to be waited for.',
  },
  {
    in: 'apps/service/src/audit/list-store.ts',
    line: 'where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq < ${before}',
    reason: 'It says how far back a look may reach. The entries there are asked for by their tenant again.',
  },
  {
    in: 'apps/service/src/audit/list-store.ts',
    line: 'where day = ${dayLiteral(day)} and tenant_id = texts.tenant_id and seq = texts.seq',
    reason: 'Entry and text are each asked for by the tenant as well.',
    group: 'what is told of a subject',
  },
  {
    in: 'apps/service/src/audit/list-store.ts',
    line: 'where texts.day = ${dayLiteral(day)} and texts.tenant_id = ${filter.tenant_id} and texts.subject = ${subject}',
    reason: 'The entry is asked for by the tenant, and the text by its entry.',
    group: 'what is told of a subject',
  },
]
