import type { Db } from '../../engine/db/index.ts'
import { type Sql, cachedDayLiteral, sql } from '../../engine/db/sql.ts'
import type { VerificationKey } from '../store.ts'

/** False if there was a decision before, if the verification is not completed, and if it is not the caller's. */
export async function recordComparison(tx: Db, key: VerificationKey, same_person: boolean): Promise<boolean> {
  const updated = await tx.execute(sql`
    update verification_sessions s
    set same_person = ${same_person}, compared_at = service_now()
    where ${isKey(key)} and s.status = 'completed' and s.same_person is null`)
  return updated === 1
}

/** The decision, null if there is none. Undefined if the verification is not the caller's. */
export async function readComparison(
  tx: Db,
  key: VerificationKey,
): Promise<{ same_person: boolean | null } | undefined> {
  const [row] = await tx.query<{ same_person: boolean | null }>(
    sql`select s.same_person from verification_sessions s where ${isKey(key)}`,
  )
  return row
}

function isKey({ day, id, tenant_id, environment, device_id }: VerificationKey): Sql {
  return sql`s.day = ${cachedDayLiteral(day)} and s.id = ${id}
    and (s.tenant_id = ${tenant_id} and s.environment = ${environment}) is true and (${device_id}::uuid is null or s.device_id = ${device_id})`
}
