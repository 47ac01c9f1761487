import { appendAudit } from '../../audit/index.ts'
import { type KeyPrincipal, type Member, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import {
  type ChangeVersion,
  type Database,
  coalescePerTarget,
  makePartitionsAhead,
  validatedCache,
} from '../../engine/db/index.ts'
import {
  type PolicyRow,
  type ProfileRow,
  type TenantSettingsRow,
  readProfiles,
  readTenantSettings,
  updatePolicies,
} from './settings-store.ts'

/** The settings of a verification's tenant, for a request that has read a change version. */
export async function getTenantSettings(
  db: Database,
  tenantId: string,
  version: ChangeVersion | undefined,
): Promise<TenantSettingsRow> {
  const settings = await tenantSettings.at(db, version, tenantId)
  if (settings === undefined) throw new Error('the tenant of the verification does not exist')
  return settings
}

const tenantSettings = validatedCache<string, TenantSettingsRow>({
  maxBatch: 100,
  maxWaiting: 2000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { asOf, rows } = await readTenantSettings(db, ids)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return { asOf, values: ids.map((id) => byId.get(id)) }
  },
})

export type Policies = PolicyRow

/** The tenant's current policies on results. A request that has read a change version passes it, which saves a query. */
export async function getPolicies(
  { db }: Pick<Context, 'db'>,
  tenantId: string,
  version?: ChangeVersion,
): Promise<Policies> {
  const settings = await getTenantSettings(db, tenantId, version)
  const {
    retention_days,
    forget_on_delivery,
    hold_back,
    status_unavailable,
    time_zone,
    max_attempts,
    strict_queries,
  } = settings
  return {
    retention_days,
    forget_on_delivery,
    hold_back,
    status_unavailable,
    time_zone,
    max_attempts,
    strict_queries,
  }
}

export type SetPolicies = {
  tenant_id: string
  /** A member of the tenant; the operator if absent. */
  by?: Member | KeyPrincipal
} & { [Name in keyof Policies]?: Policies[Name] | undefined }

/** Changes a tenant's policies on results. They apply to wallet responses from now on, not to stored results. */
export async function setPolicies(
  { db }: Pick<Context, 'db'>,
  { tenant_id, by, ...policies }: SetPolicies,
): Promise<Policies> {
  return db.transaction(async (tx) => {
    const now = await updatePolicies(tx, tenant_id, policies)
    if (now === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    // Results are partitioned by the day of their deletion: a longer retention needs its partitions before the first result.
    await makePartitionsAhead(tx)
    await appendAudit(tx, {
      action: 'tenant.policies_changed',
      by: by ?? { kind: 'operator', tenant_id },
      detail: { ...policies },
    })
    return now
  })
}

export type Profile = Omit<ProfileRow, 'id'>

const findProfile = coalescePerTarget<Database, string, ProfileRow | undefined>({
  maxBatch: 64,
  maxWaiting: 2000,
  async run(db, ids) {
    const found = new Map((await readProfiles(db, ids)).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  },
})

/** The tenant that a holder's address names, or undefined. */
export async function findTenantProfile(
  { db }: Pick<Context, 'db'>,
  tenantId: string,
): Promise<Profile | undefined> {
  return findProfile(db, tenantId)
}

/** The tenant as holders see it: its name, its brand, how long it keeps results, and which channels it offers. */
export async function getProfile({ db }: Pick<Context, 'db'>, tenantId: string): Promise<Profile> {
  const profile = await findProfile(db, tenantId)
  if (profile === undefined) throw new Error('the tenant of the verification does not exist')
  return profile
}
