import type { RecordOperation } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import {
  type Plan,
  type PlanLimits,
  deletePlan,
  hasTenants,
  lockPlans,
  readPlans,
  savePlan,
  sharePlans,
} from './store.ts'

export const maxPlans = 100
/** The most that a plan can allow of anything. */
export const maxPlanValue = 999_999_999

/** What a plan allows, each a number. */
export const planValues = [
  'daily_quota',
  'devices',
  'registrations_a_day',
  'members',
  'invitations',
  'keys',
  'templates',
] as const satisfies readonly (keyof Plan)[]

/** A plan's limits beside its quota. */
export function pickLimits({
  devices,
  registrations_a_day,
  members,
  invitations,
  keys,
  templates,
}: PlanLimits): PlanLimits {
  return { devices, registrations_a_day, members, invitations, keys, templates }
}

/** All plans, the default first. */
export async function listPlans({ db }: Pick<Context, 'db'>): Promise<Plan[]> {
  return readPlans(db, maxPlans)
}

export type SetPlan = {
  name: string
  /** Whether new tenants get it from now on. */
  by_default?: true | undefined
  record?: RecordOperation
} & { [Name in (typeof planValues)[number]]?: number | undefined }

/**
 * Creates or changes a plan. Members that are absent stay, or are those of the default plan. Every process reads plans where they
 * apply, in the same statement or transaction, so a change applies to the next request.
 */
export async function setPlan(
  { db }: Pick<Context, 'db'>,
  { name, by_default, record, ...values }: SetPlan,
): Promise<Plan> {
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name))
    throw new Refusal(
      'invalid_request',
      'A plan is named by 1-32 lower-case letters, digits, hyphens and underscores, a letter first.',
    )
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  return db.transaction(async (tx) => {
    const plans = await lockPlans(tx, maxPlans)
    const known = plans.find((plan) => plan.name === name)
    if (known === undefined && plans.length >= maxPlans)
      throw new Refusal('too_many', `There are ${maxPlans} plans. Remove one first.`)
    const [template] = plans
    if (template === undefined) throw new Error('there is no default plan')
    const plan: Plan = {
      ...(known ?? { ...template, by_default: false }),
      ...given,
      name,
      ...(by_default === true && { by_default }),
    }
    await savePlan(tx, plan)
    await record?.(tx, {
      plan: name,
      ...(by_default === true && { by_default }),
      ...(known === undefined ? plan : given),
    })
    return plan
  })
}

/** Removes a plan that no tenant has. */
export async function removePlan(
  { db }: Pick<Context, 'db'>,
  { name, record }: { name: string; record?: RecordOperation },
): Promise<void> {
  await db.transaction(async (tx) => {
    const plan = pickPlan(await lockPlans(tx, maxPlans), name)
    if (plan.by_default)
      throw new Refusal(
        'invalid_request',
        `${name} is the plan of new tenants. Make another one the default first.`,
      )
    if (await hasTenants(tx, name))
      throw new Refusal('invalid_request', `Tenants have the plan ${name}. Give them another one first.`)
    await deletePlan(tx, name)
    await record?.(tx, { plan: name, removed: true })
  })
}

/** A plan by its name, or the default one. It is not removed until the transaction ends. */
export async function choosePlan(tx: Db, name: string | undefined): Promise<Plan> {
  return pickPlan(await sharePlans(tx, maxPlans), name)
}

function pickPlan(plans: readonly Plan[], name: string | undefined): Plan {
  const found = name === undefined ? plans[0] : plans.find((plan) => plan.name === name)
  if (found !== undefined) return found
  const names = plans.map((plan) => plan.name).join(', ')
  throw new Refusal('invalid_request', `Unknown plan ${name}. The plans are ${names}.`)
}
