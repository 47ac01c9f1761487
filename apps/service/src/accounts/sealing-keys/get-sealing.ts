import type { Environment } from '@vidimus/contract'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { ChangeVersion, Db } from '../../engine/db/index.ts'
import type { SealingKeyCopy } from '../tenants/settings-store.ts'
import { lockPlanLimits } from '../tenants/store.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import { readSealingKeys } from './store.ts'

type InEnvironment = { tenant_id: string; environment: Environment }

/** The keys that results are sealed to now; empty if there is none although results are sealed, and undefined if they are not. */
export async function getSealing(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: InEnvironment,
  version?: ChangeVersion,
): Promise<SealingKeyCopy[] | undefined> {
  const { sealing } = await getTenantSettings(db, tenant_id, version)
  const keys = sealing.filter((key) => key.environment === environment)
  return keys.length === 0 ? undefined : keys.filter(({ state }) => state === 'active')
}

/** Throws if results are sealed. Until the transaction ends they are not: activating a key waits. */
export async function requireUnsealed(tx: Db, of: InEnvironment, why: string): Promise<void> {
  await lockPlanLimits(tx, of.tenant_id)
  const keys = await readSealingKeys(tx, of)
  if (keys.every(({ state }) => state === 'pending')) return
  throw new Refusal('sealing_conflict', `Results of this environment are sealed to your keys. ${why}`)
}
