import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { RegistrationKey } from './store.ts'

/** A page of the registrations of all tenants, after the given one. */
export async function readRegistrationPage(
  db: Db,
  { after, limit }: { after: RegistrationKey | undefined; limit: number },
): Promise<RegistrationKey[]> {
  return db.query<RegistrationKey>(sql`
    select tenant_id, id from registrations
    where (tenant_id, id) > (${after?.tenant_id ?? nilUuid}::uuid, ${after?.id ?? nilUuid}::uuid)
    order by tenant_id, id
    limit ${limit}`)
}

/** Removes a registration from the templates that name it. */
export async function removeAssignments(tx: Db, { tenant_id, id }: RegistrationKey): Promise<void> {
  await tx.execute(
    sql`delete from template_registrations where tenant_id = ${tenant_id} and registration_id = ${id}`,
  )
}
