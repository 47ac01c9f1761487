import type { Context } from '../../context.ts'
import { findVerifierInfo, readTenantIdentities } from './store.ts'

/** A tenant's verifier_info as JSON text, as its requests carry it. */
export async function getVerifierInfo(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<string | undefined> {
  const { rows } = await readTenantIdentities(db, [tenant_id])
  const hash = rows[0]?.verifier_info ?? undefined
  return hash === undefined ? undefined : findVerifierInfo(db, hash)
}
