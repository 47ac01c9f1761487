import {
  type DeletedRows,
  createTenant,
  deleteTenant,
  listTenants,
  setQuota,
  setTenantPlan,
  showTenant,
} from '../../accounts/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult } from './command.ts'
import { startProgress } from './progress.ts'
import { jsonLinesOption, jsonOption, tenantOption, parseName, parseQuota, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const tenantCreateCommand = command({
  options: {
    name: { type: 'string', required: true, description: "the merchant's name" },
    plan: { type: 'string', description: 'one of `plan list` (default: that of new tenants)' },
    'daily-quota': { type: 'string', description: "verifications per day, instead of the plan's quota" },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const name = parseName(values.name)
    const quota = values['daily-quota'] === undefined ? undefined : parseQuota(values['daily-quota'])
    const record = asOperator('installation.tenant_created', values)
    const tenant = await withContext((ctx) =>
      createTenant(ctx, { name, plan: values.plan, daily_quota: quota, record }),
    )
    printResult(values, tenant, [
      `tenant                ${tenant.tenant_id}`,
      `daily quota           ${tenant.daily_quota}`,
      `test webhook secret   ${tenant.webhook_secret}`,
      `live webhook secret   ${tenant.live_webhook_secret}`,
    ])
  },
})

export const tenantListCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    await withContext(async (ctx) => {
      for await (const tenant of listTenants(ctx)) {
        const { tenant_id, name, plan, daily_quota, approval } = tenant
        const note = approval === 'approved' ? '' : `  (${approval})`
        printResult(values, tenant, [`${tenant_id}  ${plan}  ${daily_quota}  ${name}${note}`])
      }
    })
  },
})

export const tenantShowCommand = command({
  options: { tenant: tenantOption, json: jsonOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const tenant = await withContext((ctx) => showTenant(ctx, tenant_id))
    const { state, state_reason, approval, limits, usage_today, usage_this_month } = tenant
    const describe = (entries: typeof usage_today) =>
      entries
        .map(({ environment, created, completed }) => `${environment} ${created}, ${completed} completed`)
        .join('; ') || 'none'
    printResult(values, tenant, [
      `tenant        ${tenant.name}, since ${tenant.created_at}`,
      `state         ${state}${state_reason === null ? '' : `: ${state_reason}`}`,
      ...(approval === 'approved' ? [] : [`approval      ${approval}`]),
      `plan          ${tenant.plan}`,
      `daily quota   ${tenant.daily_quota}${tenant.has_own_quota ? ', its own' : ''}, ${tenant.created_today} used today`,
      `limits        ${Object.entries(limits)
        .map(([name, limit]) => `${name} ${limit}`)
        .join(', ')}`,
      `today         ${describe(usage_today)}`,
      `this month    ${describe(usage_this_month)}`,
      `members       ${tenant.members}`,
      `usable keys   ${tenant.usable_keys}`,
      `last active   ${tenant.last_active_at ?? 'never'}`,
    ])
  },
})

export const tenantQuotaCommand = command({
  options: {
    tenant: tenantOption,
    'daily-quota': {
      type: 'string',
      required: true,
      description: "verifications per day, or plan: the plan's",
    },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const given = values['daily-quota']
    const own = given === 'plan' ? null : parseQuota(given)
    const record = asOperator('installation.tenant_quota_changed', values)
    const { daily_quota } = await withContext((ctx) => setQuota(ctx, { tenant_id, daily_quota: own, record }))
    printResult(values, { tenant_id, daily_quota }, [`The daily quota is ${daily_quota}.`])
  },
})

export const tenantPlanCommand = command({
  options: {
    tenant: tenantOption,
    plan: { type: 'string', required: true, description: 'one of `plan list`' },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const change = { tenant_id: parseUuid('tenant', values.tenant), plan: values.plan }
    const record = asOperator('installation.tenant_plan_changed', values)
    const { daily_quota } = await withContext((ctx) => setTenantPlan(ctx, { ...change, record }))
    printResult(values, { ...change, daily_quota }, [
      `The plan is ${change.plan}, and the daily quota is ${daily_quota}.`,
    ])
  },
})

export const tenantDeleteCommand = command({
  options: {
    tenant: tenantOption,
    name: { type: 'string', required: true, description: "the tenant's name, to confirm" },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const name = parseName(values.name)
    const record = asOperator('installation.tenant_deleted', values)
    const progress = startProgress()
    const onProgress = ({ verifications, other_rows }: DeletedRows) =>
      progress.update('deleted verifications and other rows', verifications + other_rows)
    const deleted = await withContext((ctx) =>
      deleteTenant(ctx, { tenant_id, name, record, onProgress }),
    ).finally(progress.end)
    printResult(values, { tenant_id, deleted }, [
      `${name} was deleted: ${deleted.verifications} verifications, ${deleted.other_rows} other rows, the texts of ${deleted.audit_texts} audit entries.`,
      'Backups still contain it until they are replaced.',
    ])
  },
})
