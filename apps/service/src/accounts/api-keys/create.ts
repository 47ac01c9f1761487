import {
  environments,
  mayGrantScope,
  scopes as allScopes,
  type Environment,
  type Scope,
} from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { lockActingMember, makerOf } from '../members/lock-member.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { lockPlanLimits } from '../tenants/plan-limits.ts'
import { displayPrefix, hashKey, newKey } from './format.ts'
import { countUsableKeys, insertKey } from './store.ts'

/** A key never expires, or after one of these numbers of days (AUTH-5). */
export const keyLifetimes_days = [30, 90, 365] as const

export type CreateKey = {
  by: NewAuditEntry['by']
  environment: Environment
  scopes: readonly Scope[]
  name?: string | undefined
  lifetime_days?: (typeof keyLifetimes_days)[number] | undefined
}
export type CreatedKey = { key_id: string; key: string; prefix: string; scopes: Scope[]; expires_at?: string }

/** Creates a key and returns it. It is shown only once: only its hash is stored (AUTH-2). */
export async function createKey(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { by, environment, scopes, name = 'unnamed', lifetime_days }: CreateKey,
): Promise<CreatedKey> {
  if (!environments.includes(environment))
    throw new Refusal('invalid_request', 'environment must be test or live.')
  if (scopes.length === 0) throw new Refusal('invalid_request', 'A key needs at least one scope.')
  const key = newKey(environment, config.CELL)
  const ordered = allScopes.filter((scope) => scopes.includes(scope))
  return db.transaction(async (tx) => {
    requireGrantableScopes(await lockActingMember(tx, by, 'manage_keys'), ordered)
    if (by.kind !== 'operator') await enforceKeyLimit({ config }, tx, by.tenant_id)
    const row = await insertKey(tx, {
      tenant_id: by.tenant_id,
      environment,
      name,
      hash: hashKey(key),
      prefix: displayPrefix(key),
      scopes: ordered,
      created_by: makerOf(by),
      lifetime_days: lifetime_days ?? null,
    })
    if (row === undefined) throw new Refusal('not_found', `There is no tenant ${by.tenant_id}.`)
    await appendAudit(tx, {
      action: 'key.created',
      by,
      subject: row.id,
      detail: { prefix: row.prefix, environment, scopes: ordered, lifetime_days: lifetime_days ?? null },
    })
    return {
      key_id: row.id,
      key,
      prefix: row.prefix,
      scopes: ordered,
      ...(row.expires_at !== null && { expires_at: row.expires_at }),
    }
  })
}

/** A key must not exceed its creator's rights: it outlives the session and does not depend on the role. */
export function requireGrantableScopes(by: NewAuditEntry['by'], scopes: readonly Scope[]): void {
  if (by.kind !== 'member') return
  const beyond = scopes.filter((scope) => !mayGrantScope(by.role, scope))
  if (beyond.length > 0)
    throw new Refusal(
      'role_not_allowed',
      `The role ${by.role} does not allow creating a key with ${beyond.join(' and ')}. Ask an admin or an owner.`,
    )
}

async function enforceKeyLimit(ctx: Pick<Context, 'config'>, tx: Db, tenant_id: string): Promise<void> {
  const limits = await lockPlanLimits(ctx, tx, tenant_id)
  if (limits === undefined) return
  // A rolled key is about to end and has a replacement that counts.
  if ((await countUsableKeys(tx, tenant_id, { rolled: false, max: limits.keys })) >= limits.keys)
    throw new Refusal('too_many', `Your plan allows ${limits.keys} API keys. Revoke one first.`)
}
