import type { Context } from '../../context.ts'
import { findVerifierInfo, readTenantIdentities } from './store.ts'

/** A tenant's verifier_info as JSON text, as its requests carry it. */
export async function getVerifierInfo(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<string | undefined> {
  const [row] = await readTenantIdentities(db, [tenant_id])
  const hash = row?.verifier_info ?? undefined
  return hash === undefined ? undefined : findVerifierInfo(db, hash)
}
