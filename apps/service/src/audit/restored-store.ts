import type { Db } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'
import type { AbandonedLog } from './abandoned-log.ts'

/** Appends an entry to the chain of every tenant and of the installation, unless one of today or yesterday names the same checkpoint. */
export async function insertRestoredEntries(
  tx: Db,
  named: AbandonedLog,
  installation: string,
): Promise<void> {
  const detail = JSON.stringify(named)
  await tx.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, detail)
    select t.id, 'audit.restored', 'operator', ${detail}::jsonb
    from (select id from tenants union all select ${installation}::uuid) t
    where not exists (
        select from audit_inbox i
        where i.tenant_id = t.id and i.action = 'audit.restored' and i.detail->>'abandoned_root' = ${named.abandoned_root})
      and not exists (
        select from audit_entries e
        where e.tenant_id = t.id and e.day >= service_day() - 1 and e.action = 'audit.restored'
          and strpos(e.detail, ${named.abandoned_root}) > 0)`)
}
