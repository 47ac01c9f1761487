import type { VerifierAttestation } from '@vidimus/protocol'
import type { Context } from '../../src/context.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { keepVerifierInfo } from '../../src/trust/identity/keep-verifier-info.ts'

type ImportRegistration = { tenant_id: string; verifier_info: VerifierAttestation[] }

/** A registration as migration 0043 makes one of the earlier setting `verifier_info`: the default, and not checked. Returns its id. */
export async function importRegistration(
  { db }: Pick<Context, 'db'>,
  { tenant_id, verifier_info }: ImportRegistration,
): Promise<string> {
  const hash = await keepVerifierInfo(db, verifier_info)
  const [row] = await db.query<{ id: string }>(sql`
    insert into registrations (tenant_id, name, is_default, info_base64url, info_jwt)
    values (${tenant_id}, 'Imported', true, ${hash}, ${hash})
    returning id`)
  return row?.id ?? ''
}
