import { createHash } from 'node:crypto'
import type { VerifierAttestation } from '@vidimus/protocol'
import type { Context } from '../../src/engine/context.ts'
import { sql } from '../../src/engine/db/sql.ts'

/** Makes the requests of a verification carry this `verifier_info`, as if it had been created under such a registration. */
export async function carryRegistration(
  { db }: Pick<Context, 'db'>,
  id: string,
  verifierInfo: readonly VerifierAttestation[],
): Promise<void> {
  const body = JSON.stringify(verifierInfo)
  const hash = createHash('sha256').update(body).digest()
  await db.execute(
    sql`insert into verifier_infos (hash, body) values (${hash}, ${body}) on conflict do nothing`,
  )
  await db.execute(
    sql`update verification_sessions set certificate = substr(certificate, 1, 32) || ${hash} where id = ${id}`,
  )
}
