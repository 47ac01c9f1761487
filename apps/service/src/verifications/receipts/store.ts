import type { Db } from '../../engine/db/index.ts'
import { cachedDayLiteral, sql } from '../../engine/db/sql.ts'

export type ReceiptKey = { day: string; id: string; tenant_id: string; environment: string }
export type ReceiptRow = { id: string; body: string; salt: Buffer; hash: string }

const columns = sql`p.verification_id as id, p.body, p.salt, receipt_hash(p.salt, p.body) as hash`

export async function readReceipt(
  db: Db,
  { day, id, tenant_id, environment }: ReceiptKey,
): Promise<ReceiptRow | undefined> {
  const [row] = await db.query<ReceiptRow>(sql`
    select ${columns} from verification_receipts p
    where p.day = ${cachedDayLiteral(day)} and p.verification_id = ${id} and p.tenant_id = ${tenant_id}
      and p.environment = ${environment}`)
  return row
}

type ReceiptsOf = Omit<ReceiptKey, 'id'>

/** Receipts of a day after an id, in the order of the ids, without those of results that are held back. */
export async function readReceiptPage(
  db: Db,
  { day, tenant_id, environment, after, limit }: ReceiptsOf & { after: string; limit: number },
): Promise<ReceiptRow[]> {
  return db.query<ReceiptRow>(sql`
    select ${columns} from verification_receipts p
    cross join lateral (
      select s.held and s.redeemed_at is null as withheld from verification_sessions s
      where s.day = ${cachedDayLiteral(day)} and s.id = p.verification_id limit 1
    ) s
    where p.day = ${cachedDayLiteral(day)} and p.tenant_id = ${tenant_id} and p.environment = ${environment}
      and p.verification_id > ${after} and not s.withheld
    order by p.verification_id
    limit ${limit}`)
}

export type OutcomeCountRow = {
  template: string | null
  version: string | null
  status: string
  error_code: string | null
  verifications: number
}

/** A tenant's verifications of one day by template version and outcome. */
export async function countByVersion(
  db: Db,
  { day, tenant_id, environment }: ReceiptsOf,
): Promise<OutcomeCountRow[]> {
  return db.query<OutcomeCountRow>(sql`
    select s.template, encode(s.template_version, 'hex') as version,
      shown_status(s.status, s.held and s.redeemed_at is null, s.expires_at, s.responded_at) as status,
      case when not (s.held and s.redeemed_at is null) then s.error ->> 'code' end as error_code, count(*) as verifications
    from verification_sessions s
    where s.day = ${cachedDayLiteral(day)} and s.tenant_id = ${tenant_id} and s.environment = ${environment}
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    limit 1000`)
}
