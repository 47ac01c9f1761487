import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type ReturnLinkRow = { id: string; made_by: string; made_at: string; used_at: string | null }

type MemberRef = { tenant_id: string; member_id: string }

/** Records that a sign-in link was created for an existing member. */
export async function insertReturnLink(
  tx: Db,
  { tenant_id, member_id, id, made_by }: MemberRef & { id: string; made_by: string },
): Promise<void> {
  await tx.execute(sql`
    insert into member_return_links (tenant_id, id, member_id, made_by, made_at)
    values (${tenant_id}, ${id}, ${member_id}, ${made_by}, service_now())`)
}

export async function markReturnLinkUsed(
  tx: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<void> {
  await tx.execute(sql`
    update member_return_links set used_at = service_now() where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Newest first. */
export async function readReturnLinks(
  db: Db,
  { tenant_id, member_id }: MemberRef,
  limit: number,
): Promise<ReturnLinkRow[]> {
  return db.query<ReturnLinkRow>(sql`
    select id, made_by, made_at, used_at from member_return_links
    where tenant_id = ${tenant_id} and member_id = ${member_id}
    order by made_at desc
    limit ${limit}`)
}
