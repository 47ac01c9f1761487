import type { AppliedConfig, TenantConfig } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import { type KeyPrincipal, Refusal } from '../../engine/basics/index.ts'
import type { Connection } from '../../engine/db/index.ts'
import { type Slots, openSlots } from '../../engine/scheduling/index.ts'
import { normaliseRegistration } from '../../trust/index.ts'
import type { DashboardContext } from '../context.ts'
import { type Applying, applyChange } from './apply-change.ts'
import { checkPlan } from './check-plan.ts'
import { environmentsOf, listedKinds, scopeOf, toEntries } from './entries.ts'
import { type ConfigPlan, type PlannedChange, planChanges } from './plan.ts'
import { type CurrentConfig, findRegistrationIn, readConfig } from './read-config.ts'
import { tryLockConfig, unlockConfig } from './store.ts'

type ApplyConfig = {
  by: KeyPrincipal
  config: TenantConfig
  dry_run: boolean
  prune: boolean
  /** ETags, of which the current configuration must have one. */
  if_match?: string | undefined
}

/** Configurations that are applied at a time, each with a connection of its own for its lock. */
export const maxApplies = 2
const retryAfter_seconds = 1

export type ConfigApplier = (apply: ApplyConfig) => Promise<{ result: AppliedConfig; etag: string }>

/**
 * Applies configurations. Everything that can be checked is checked before the first change. Then each change is made by itself, by
 * the use case that the dashboard calls, so that another apply of the same document completes what was interrupted. Two applies of a
 * tenant never run at once (CONFIG-3).
 */
export function openConfigApplier(ctx: DashboardContext): ConfigApplier {
  const all = Math.min(maxApplies, ctx.config.DB_POOL_SIZE - 1)
  const slots = openSlots({ each: all, all })
  return async ({ dry_run, ...apply }) => {
    if (!dry_run) return withLock(ctx, slots, apply.by.tenant_id, (lock) => applyLocked(ctx, lock, apply))
    const { current, plan } = await planConfig(ctx, apply)
    return { result: toResult(plan), etag: current.etag }
  }
}

async function withLock<Result>(
  { db }: Pick<DashboardContext, 'db'>,
  slots: Slots,
  tenant_id: string,
  work: (lock: Connection) => Promise<Result>,
): Promise<Result> {
  const release = slots.take(tenant_id)
  if (typeof release === 'string')
    throw new Refusal(
      'overloaded',
      'Too many configurations are being applied. Try again in a moment.',
      retryAfter_seconds,
    )
  try {
    const connection = await db.connection()
    try {
      if (!(await tryLockConfig(connection, tenant_id)))
        throw new Refusal(
          'config_busy',
          'Another configuration of this tenant is being applied. Try again in a moment.',
          retryAfter_seconds,
        )
      try {
        return await work(connection)
      } finally {
        // Closing releases it too, but later than the caller's next request.
        await unlockConfig(connection, tenant_id).catch(() => {
          // The connection is lost, and its lock with it. What was changed must still be answered.
        })
      }
    } finally {
      connection.close()
    }
  } finally {
    release()
  }
}

type Planning = Omit<ApplyConfig, 'dry_run'>

async function planConfig(
  ctx: DashboardContext,
  { by, config, prune, if_match }: Planning,
): Promise<{ current: CurrentConfig; plan: ConfigPlan }> {
  requireVisible(by, config)
  const current = await readConfig(ctx, by)
  requireMatch(current, if_match)
  const wanted = complete(config, current.config)
  const given = (config.registrations?.items ?? []).map((each) => ({
    name: each.name,
    fingerprint: normaliseRegistration(each).fingerprint,
  }))
  const entries = toEntries(wanted, { findRegistration: findRegistrationIn(given, current.registrations) })
  const plan = planChanges(current.entries, entries, { listed: listedKinds(config), prune })
  await checkPlan(ctx, by, plan)
  return { current, plan }
}

/** A key cannot compare its document with what it may not see. */
function requireVisible(by: KeyPrincipal, { webhook_endpoints, openid_clients, trust }: TenantConfig): void {
  if (webhook_endpoints !== undefined && !by.scopes.includes(scopeOf.webhook_endpoint))
    throw new Refusal('insufficient_scope', `webhook_endpoints need the scope ${scopeOf.webhook_endpoint}.`)
  const environments = environmentsOf(by)
  const all = [...(webhook_endpoints ?? []), ...(openid_clients ?? []), ...(trust?.anchors ?? [])]
  const other = all.find(({ environment }) => !environments.includes(environment))
  if (other !== undefined)
    throw new Refusal(
      'insufficient_scope',
      `The configuration has entries of ${other.environment}. Use a key of that environment.`,
    )
}

function requireMatch({ etag }: CurrentConfig, if_match: string | undefined): void {
  const accepted = if_match?.split(',').map((each) => each.trim())
  if (accepted === undefined || accepted.includes(etag) || accepted.includes('*')) return
  throw new Refusal('config_changed', 'The configuration has changed since you read it. Export it again.')
}

/** Members of settings that the document leaves out stay as they are. */
function complete(config: TenantConfig, current: TenantConfig): TenantConfig {
  const { policies, holder_page, registrations } = config
  return {
    ...config,
    ...(policies && { policies: { ...current.policies, ...policies } }),
    ...(holder_page && { holder_page: { ...current.holder_page, ...holder_page } }),
    ...(registrations?.settings && {
      registrations: {
        ...registrations,
        settings: { ...current.registrations?.settings, ...registrations.settings },
      },
    }),
  }
}

async function applyLocked(
  ctx: DashboardContext,
  lock: Connection,
  apply: Planning,
): Promise<{ result: AppliedConfig; etag: string }> {
  const { by } = apply
  const { current, plan } = await planConfig(ctx, apply)
  if (plan.changes.length === 0) return { result: { ...toResult(plan), applied: true }, etag: current.etag }
  await recordApply(ctx, by, plan)
  const registrationIds = new Map(current.registrations.map(({ fingerprint, id }) => [fingerprint, id]))
  const result = await applyChanges(ctx, { by, registrationIds }, { plan, lock })
  return { result, etag: (await readConfig(ctx, by)).etag }
}

/** The entries of the changes follow it in the audit log. */
async function recordApply(
  { db }: DashboardContext,
  by: KeyPrincipal,
  { changes }: ConfigPlan,
): Promise<void> {
  const count = (action: PlannedChange['action']) => changes.filter((each) => each.action === action).length
  await db.transaction((tx) =>
    appendAudit(tx, {
      action: 'config.applied',
      by,
      detail: { create: count('create'), change: count('change'), delete: count('delete') },
    }),
  )
}

async function applyChanges(
  ctx: DashboardContext,
  applying: Applying,
  { plan, lock }: { plan: ConfigPlan; lock: Connection },
): Promise<AppliedConfig> {
  const secrets: AppliedConfig['secrets'] = []
  for (const [index, change] of plan.changes.entries()) {
    try {
      if (lock.lost.aborted) throw new Refusal('overloaded', 'The connection to the database was lost.')
      const secret = await applyChange(ctx, applying, change)
      if (secret !== undefined) secrets.push(secret)
    } catch (error) {
      // Whatever it is: the secrets of what was created before can be shown only now.
      if (!(error instanceof Refusal) && index === 0) throw error
      const failure = { resource: change.entry.resource, ...explain(ctx, error) }
      return { ...toResult(plan, index), secrets, failure }
    }
  }
  return { ...toResult(plan, plan.changes.length), applied: true, secrets }
}

function explain({ log }: DashboardContext, error: unknown): { code: string; message: string } {
  if (error instanceof Refusal) return { code: error.code, message: error.message }
  log.error({ err: error }, 'a configuration was applied in part')
  return { code: 'internal_error', message: 'Something went wrong on our side. Send the document again.' }
}

/** `done`: how many changes were made. */
function toResult({ changes, unchanged, kept }: ConfigPlan, done = 0): AppliedConfig {
  return {
    applied: false,
    changes: changes.map(({ action, entry, before }, index) => ({
      action,
      resource: entry.resource,
      ...(before !== undefined && before.value !== null && { before: before.value }),
      ...(action !== 'delete' && { after: entry.value }),
      applied: index < done,
    })),
    unchanged,
    kept,
    secrets: [],
  }
}
