import {
  deleteTenantLater,
  getTenantDetail,
  keepTenant,
  listOperatedTenants,
  setTenantPlan,
  showTenant,
} from '../../../apps/service/src/accounts/index.ts'
import type { Context } from '../../../apps/service/src/engine/context.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { listAttention } from '../../../apps/service/src/operations/tenant-attention.ts'
import { changeTenantState } from '../../../apps/service/src/operations/tenant-state.ts'
import { expectEqual } from '../expect-equal.ts'
import { expectOthersUnchanged } from '../expect-unchanged.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

const operator = { name: 'the matrix' }

/** What operators see of each tenant is what the tenant has, counted here in another way. */
export async function showTenantsToOperators({
  service: { ctx },
  victim,
  otherTenant,
  newTenant,
}: IsolationFixture): Promise<string[]> {
  const reason = 'only this one'
  await changeTenantState(ctx, {
    tenant_id: newTenant.tenant_id,
    state: 'suspended',
    operator: { ...operator, reason },
  })
  // Whoever was seen last, or whose key was used last, is another tenant.
  const faults = await compareShown(ctx, [victim.merchant, otherTenant.merchant])
  await ctx.db.execute(sql`
    update api_keys set last_used_at = service_now() + interval '1 hour' where tenant_id = ${victim.merchant.tenant_id}`)
  faults.push(...(await compareShown(ctx, [otherTenant.merchant])))
  await ctx.db.execute(sql`
    update members set last_seen_at = service_now() + interval '2 hours' where tenant_id = ${victim.merchant.tenant_id}`)
  faults.push(...(await compareShown(ctx, [otherTenant.merchant])))
  for (const { tenant_id } of [victim.merchant, otherTenant.merchant, newTenant])
    faults.push(
      ...expectEqual(
        `the reason for the state of ${tenant_id}`,
        (await getTenantDetail(ctx, tenant_id)).state_reason,
        tenant_id === newTenant.tenant_id ? reason : undefined,
      ),
    )
  await changeTenantState(ctx, { tenant_id: newTenant.tenant_id, state: 'active', operator })
  return faults
}

async function compareShown(
  ctx: Pick<Context, 'db'>,
  tenants: readonly { tenant_id: string }[],
): Promise<string[]> {
  const faults: string[] = []
  const { data } = await listOperatedTenants(ctx, { limit: 100 })
  const attention = await listAttention(ctx)
  for (const { tenant_id } of tenants) {
    const [expected] = await ctx.db.query(sql`
      with of as (select ${tenant_id}::uuid as id)
      select (select sum((m.tenant_id = of.id)::integer)::integer from members m) as members,
        (select array_agg(m.email order by m.created_at, m.id) filter (where m.tenant_id = of.id and m.role = 'owner')
          from members m) as owners,
        (select sum((k.tenant_id = of.id and k.revoked_at is null and coalesce(k.expires_at > service_now(), true))::integer)::integer
          from api_keys k) as usable_keys,
        (select max(case when u.tenant_id = of.id and u.day = service_day() then u.used else 0 end) from tenant_usage u)
          as created_today,
        nullif(greatest(
          (select max(case when k.tenant_id = of.id then k.last_used_at end) from api_keys k),
          (select max(case when m.tenant_id = of.id then m.last_seen_at end) from members m),
          (select max(case when u.tenant_id = of.id then u.last_created_at end) from tenant_usage u)), '-infinity')
          as last_active_at
      from of`)
    const shown = await getTenantDetail(ctx, tenant_id)
    const { members, usable_keys, created_today, last_active_at } = shown
    const owners = shown.owners.map(({ email }) => email)
    faults.push(
      ...expectEqual(
        `what operators see of ${tenant_id}`,
        { members, owners, usable_keys, created_today, last_active_at },
        { ...expected },
      ),
    )
    const alerts = await ctx.db.query<{ tenant_id: string; kind: string }>(
      sql`select tenant_id, kind from alerts where resolved_at is null limit 1000`,
    )
    const kinds = alerts.filter((each) => each.tenant_id === tenant_id).map(({ kind }) => kind)
    const needed = attention.data.filter(({ tenant }) => tenant.id === tenant_id).map(({ kind }) => kind)
    faults.push(
      ...expectEqual(
        `alerts that operators see of ${tenant_id}`,
        needed.filter((kind) => !['sign_up_waits', 'suspended', 'deletion_planned', ...kinds].includes(kind)),
        [],
      ),
    )
    const listed = data.find(({ id }) => id === tenant_id)
    faults.push(
      ...expectEqual(
        `what operators list of ${tenant_id}`,
        [listed?.created_today, listed?.last_active_at, (await showTenant(ctx, tenant_id)).last_active_at],
        [created_today, last_active_at, last_active_at],
      ),
    )
  }
  return faults
}

/** Another tenant is to be deleted too, and stays so. */
export async function changeTenantAsOperator(fixture: IsolationFixture): Promise<string[]> {
  const { ctx } = fixture.service
  const planDeletion = async (tenant_id: string) => {
    const { name } = await getTenantDetail(ctx, tenant_id)
    await deleteTenantLater(ctx, { tenant_id, name, operator })
  }
  const other = fixture.idleTenant.tenant_id
  await planDeletion(other)
  const untouched = await getTenantDetail(ctx, fixture.newTenant.tenant_id)
  const faults = expectEqual('the deletion of another tenant', untouched.deletion_at, undefined)
  const changed = await expectOthersUnchanged(
    fixture,
    fixture.newTenant,
    async ({ tenant_id }) => {
      await setTenantPlan(ctx, { tenant_id, plan: 'scale' })
      await changeTenantState(ctx, { tenant_id, state: 'suspended', operator, end_open: true })
      await planDeletion(tenant_id)
      await keepTenant(ctx, { tenant_id, operator })
      await changeTenantState(ctx, { tenant_id, state: 'active', operator })
      return []
    },
    // The chain of the installation is in the same log.
    ['audit_inbox'],
  )
  await keepTenant(ctx, { tenant_id: other, operator })
  await changeTenantState(ctx, { tenant_id: other, state: 'active', operator })
  return [...faults, ...changed]
}
