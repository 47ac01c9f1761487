import type { Context } from '../../context.ts'
import { findVerifierInfo, readTenantIdentities } from './store.ts'

/** The text of a tenant's verifier_info, as it goes into its requests. */
export async function getVerifierInfo(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<string | undefined> {
  const [row] = await readTenantIdentities(db, [tenant_id])
  const hash = row?.verifier_info ?? undefined
  return hash === undefined ? undefined : findVerifierInfo(db, hash)
}
