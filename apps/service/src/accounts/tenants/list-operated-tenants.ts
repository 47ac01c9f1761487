import type {
  ListOperatorTenants,
  OperatorTenant,
  OperatorTenantDetail,
  OperatorTenantList,
} from '@vidimus/contract'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Db, readClock } from '../../engine/db/index.ts'
import { readMembers } from '../members/store.ts'
import type { UsageEntry } from '../usage/list-usage.ts'
import { type UsageCountRow, readUsageCounts } from '../usage/store.ts'
import {
  type OperatedTenantRow,
  type TenantCursor,
  countStates,
  findOperatedTenant,
  readOperatedTenants,
} from './operator-store.ts'
import { showTenant } from './show-tenant.ts'

const maxOwners = 20

/** One page of the tenants, by name. */
export async function listOperatedTenants(
  { db }: Pick<Context, 'db'>,
  { limit, after, state, q }: ListOperatorTenants,
): Promise<OperatorTenantList> {
  const cursor = after === undefined ? undefined : readCursor(after)
  const filter = { state: state ?? null, q: q ?? null, after: cursor }
  const rows = await readOperatedTenants(db, { ...filter, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: await viewTenants(db, page),
    ...(last !== undefined && { next: writeCursor(last) }),
    counts: await countStates(db),
  }
}

/** What a list has of a tenant. */
export async function getOperatedTenant({ db }: Pick<Context, 'db'>, id: string): Promise<OperatorTenant> {
  const row = await findOperatedTenant(db, id)
  const [tenant] = row === undefined ? [] : await viewTenants(db, [row])
  if (tenant === undefined) throw new Refusal('not_found', `There is no tenant ${id}.`)
  return tenant
}

/** Everything that operators see of a tenant, but what they did to it. */
export async function getTenantDetail(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<Omit<OperatorTenantDetail, 'operations'>> {
  const tenant = await getOperatedTenant({ db }, id)
  const shown = await showTenant({ db }, id)
  const owners = (await readMembers(db, id)).filter(({ role }) => role === 'owner').slice(0, maxOwners)
  return {
    ...tenant,
    ...(shown.state_reason !== null && { state_reason: shown.state_reason }),
    ...(shown.state_changed_at !== null && { state_changed_at: shown.state_changed_at }),
    has_own_quota: shown.has_own_quota,
    limits: shown.limits,
    usage_today: byEnvironment(shown.usage_today),
    usage_this_month: byEnvironment(shown.usage_this_month),
    owners: owners.map(({ name, email, last_seen_at }) => ({
      name,
      email,
      ...(last_seen_at !== null && { last_seen_at }),
    })),
    members: shown.members,
    usable_keys: shown.usable_keys,
  }
}

type Counts = OperatorTenantDetail['usage_today']['test']
const nothing: Counts = { created: 0, completed: 0, failed: 0, declined: 0, expired: 0, pending: 0 }

function byEnvironment(entries: readonly UsageEntry[]): { test: Counts; live: Counts } {
  const counted = { test: nothing, live: nothing }
  for (const { environment, created, completed, failed, declined, expired, pending } of entries)
    counted[environment] = { created, completed, failed, declined, expired, pending }
  return counted
}

async function viewTenants(db: Db, rows: readonly OperatedTenantRow[]): Promise<OperatorTenant[]> {
  const tenants = rows.map(({ id }) => id)
  const to = (await readClock(db)).slice(0, 10)
  const counts =
    rows.length === 0 ? [] : await readUsageCounts(db, { from: `${to.slice(0, 8)}01`, to, tenants })
  const live = Map.groupBy(
    counts.filter(({ environment }) => environment === 'live'),
    ({ tenant_id }) => tenant_id,
  )
  return rows.map((row) => viewTenant(row, live.get(row.id) ?? []))
}

function viewTenant(row: OperatedTenantRow, live: readonly UsageCountRow[]): OperatorTenant {
  const { external_id, last_active_at, deletion_at, ...known } = row
  return {
    ...known,
    ...(external_id !== null && { external_id }),
    live_this_month: {
      created: live.reduce((sum, { created }) => sum + created, 0),
      completed: live.reduce((sum, { completed }) => sum + completed, 0),
    },
    ...(last_active_at !== null && { last_active_at }),
    ...(deletion_at !== null && { deletion_at }),
  }
}

function writeCursor({ name, id }: TenantCursor): string {
  return (
    Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + Buffer.from(name).toString('base64url')
  )
}

const idLength = 22

function readCursor(cursor: string): TenantCursor {
  const id = Buffer.from(cursor.slice(0, idLength), 'base64url').toString('hex')
  const name = Buffer.from(cursor.slice(idLength), 'base64url').toString()
  // PostgreSQL stores no such character.
  if (id.length !== 32 || name.includes('\0'))
    throw new Refusal('invalid_request', 'after: must be the `next` of a page.')
  return { id, name }
}
