import type { MailKind } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type ChoiceRow = { member_id: string; kind: MailKind; wanted: boolean }

/** Which alerts each member of a tenant has switched on or off. */
export async function readChoices(db: Db, tenant_id: string): Promise<ChoiceRow[]> {
  return db.query<ChoiceRow>(sql`
    select member_id, kind, wanted from alert_choices where tenant_id = ${tenant_id} limit 20000`)
}

export async function readChoicesOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<ChoiceRow[]> {
  return db.query<ChoiceRow>(sql`
    select member_id, kind, wanted from alert_choices
    where tenant_id = ${tenant_id} and member_id = ${member_id}
    limit 100`)
}

export async function putChoices(
  tx: Db,
  {
    tenant_id,
    member_id,
    choices,
  }: { tenant_id: string; member_id: string; choices: Record<string, boolean> },
): Promise<void> {
  await tx.execute(sql`
    insert into alert_choices (tenant_id, member_id, kind, wanted)
    select m.tenant_id, m.id, c.key, c.value::boolean
    from members m, jsonb_each_text(${choices}::jsonb) c
    where m.tenant_id = ${tenant_id} and m.id = ${member_id}
    on conflict (tenant_id, member_id, kind) do update set wanted = excluded.wanted`)
}
