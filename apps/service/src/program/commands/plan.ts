import { listPlans, maxPlanValue, planValues, removePlan, setPlan } from '../../accounts/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption } from './options.ts'
import { withContext } from './with-context.ts'

const nameOption = { type: 'string', required: true, description: "the plan's name" } as const

export const planListCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    const plans = await withContext((ctx) => listPlans(ctx))
    for (const plan of plans) {
      const allowed = planValues.map((name) => `${toOption(name)} ${plan[name]}`).join('  ')
      printResult(values, plan, [`${plan.name}${plan.by_default ? ' (default)' : ''}  ${allowed}`])
    }
  },
})

export const planSetCommand = command({
  options: {
    name: nameOption,
    'daily-quota': { type: 'string', description: 'verifications per day' },
    devices: { type: 'string', description: 'usable devices' },
    'registrations-a-day': { type: 'string', description: 'devices registered per day' },
    members: { type: 'string', description: 'members' },
    invitations: { type: 'string', description: 'open invitations' },
    keys: { type: 'string', description: 'usable API keys' },
    templates: { type: 'string', description: 'templates of its own' },
    default: { type: 'boolean', description: 'new tenants get this plan' },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const changes = {
      daily_quota: parseValue('daily-quota', values['daily-quota']),
      devices: parseValue('devices', values.devices),
      registrations_a_day: parseValue('registrations-a-day', values['registrations-a-day']),
      members: parseValue('members', values.members),
      invitations: parseValue('invitations', values.invitations),
      keys: parseValue('keys', values.keys),
      templates: parseValue('templates', values.templates),
    }
    const record = asOperator('installation.plan_changed', values)
    const by_default = values.default || undefined
    const plan = await withContext((ctx) =>
      setPlan(ctx, { name: values.name, by_default, ...changes, record }),
    )
    printResult(values, plan, [
      ...planValues.map((name) => `${toOption(name).padEnd(20)}  ${plan[name]}`),
      ...(plan.by_default ? ['New tenants get this plan.'] : []),
    ])
  },
})

export const planRemoveCommand = command({
  options: { name: nameOption, ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const record = asOperator('installation.plan_changed', values)
    await withContext((ctx) => removePlan(ctx, { name: values.name, record }))
    printResult(values, { name: values.name, removed: true }, [`The plan ${values.name} was removed.`])
  },
})

function toOption(name: string): string {
  return name.replaceAll('_', '-')
}

function parseValue(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,9}$/.test(given))
    throw new UsageError(`--${option} must be a whole number from 0 to ${maxPlanValue}`)
  return Number(given)
}
