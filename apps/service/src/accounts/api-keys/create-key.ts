import {
  type Environment,
  type Key,
  type Permission,
  type Role,
  type Scope,
  environments,
  managementScopes,
  may,
  mayGrantScope,
  scopes as allScopes,
} from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { findRole, lockActingMember } from '../members/me.ts'
import { requireApproval } from '../tenants/approval.ts'
import { lockPlanLimits } from '../tenants/store.ts'
import { displayPrefix, hashKey, invalidKey, newKey } from './authenticate-key.ts'
import { type KeyRow, countUsableKeys, insertKey, lockUsableKey } from './store.ts'

/** A key never expires, or after one of these numbers of days. */
export const keyLifetimes_days = [30, 90, 365] as const

type CreateKey = {
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
  if (by.kind !== 'operator') requireBoundedLifetime(scopes, lifetime_days)
  const key = newKey(environment, config.CELL)
  const ordered = allScopes.filter((scope) => scopes.includes(scope))
  return db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, 'manage_keys')
    requireGrantableScopes(by, maker, ordered)
    await requireApproval(tx, { tenant_id: by.tenant_id, environment })
    if (by.kind !== 'operator') await enforceKeyLimit(tx, by.tenant_id)
    const row = await insertKey(tx, {
      tenant_id: by.tenant_id,
      environment,
      name,
      hash: hashKey(key),
      prefix: displayPrefix(key),
      scopes: ordered,
      created_by: maker.member_id,
      lifetime_days: lifetime_days ?? null,
    })
    if (row === undefined) throw new Refusal('not_found', `There is no tenant ${by.tenant_id}.`)
    requireEarlierEnd(maker, row)
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

const maxManagementLifetime_days = 90

/** What changes the configuration is the most that a stolen key can do, so it ends by itself. */
function requireBoundedLifetime(scopes: readonly Scope[], lifetime_days: number | undefined): void {
  const manages = scopes.find(isManagementScope)
  if (manages === undefined || (lifetime_days ?? Number.POSITIVE_INFINITY) <= maxManagementLifetime_days)
    return
  throw new Refusal(
    'invalid_request',
    `A key with the scope ${manages} needs a lifetime_days of at most ${maxManagementLifetime_days}.`,
  )
}

function isManagementScope(scope: Scope): boolean {
  return (managementScopes as readonly Scope[]).includes(scope)
}

/**
 * A key must not exceed its creator's rights: it outlives their session and does not depend on their role. One that a key creates has
 * only scopes of that key and none that manage, which people confirm.
 */
export function requireGrantableScopes(
  by: NewAuditEntry['by'],
  { role }: Pick<Maker, 'role'>,
  scopes: readonly Scope[],
): void {
  const beyondKey =
    by.kind === 'key' ? scopes.filter((scope) => isManagementScope(scope) || !by.scopes.includes(scope)) : []
  if (beyondKey.length > 0)
    throw new Refusal(
      'insufficient_scope',
      `A key cannot create one with ${beyondKey.join(' and ')}. Create it in the dashboard.`,
    )
  const beyond = role === undefined ? [] : scopes.filter((scope) => !mayGrantScope(role, scope))
  if (beyond.length > 0)
    throw new Refusal(
      'role_not_allowed',
      `The role ${role} does not allow creating a key with ${beyond.join(' and ')}. Ask an admin or an owner.`,
    )
}

/** A key that another one creates does not outlive it, so that a stolen one cannot prolong itself. */
function requireEarlierEnd({ expires_at }: Maker, created: KeyRow): void {
  if (expires_at === null || (created.expires_at !== null && created.expires_at <= expires_at)) return
  throw new Refusal(
    'invalid_request',
    `lifetime_days: the key must end before the one that creates it, on ${expires_at}.`,
  )
}

async function enforceKeyLimit(tx: Db, tenant_id: string): Promise<void> {
  const limits = await lockPlanLimits(tx, tenant_id)
  if (limits === undefined) return
  // A rolled key is about to end and has a replacement that counts.
  if ((await countUsableKeys(tx, tenant_id, { rolled: false, max: limits.keys })) >= limits.keys)
    throw new Refusal('too_many', `Your plan allows ${limits.keys} API keys. Revoke one first.`)
}

/** A key without its secret. */
export function viewKey(row: KeyRow): Key {
  const { id, name, environment, prefix, scopes, created_at, expired } = row
  return {
    id,
    name,
    environment,
    prefix,
    scopes,
    ...(row.created_by !== null && { created_by: row.created_by }),
    created_at,
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    expired,
    ...(row.revoked_at !== null && { revoked_at: row.revoked_at }),
    ...(row.last_used_at !== null && { last_used_at: row.last_used_at }),
    ...(row.replaced_by !== null && { replaced_by: row.replaced_by }),
  }
}

/**
 * Who is responsible for what is being made. `member_id`: the member, also if an API key of theirs makes it. `role` is the member's now;
 * undefined for what an operator or a key of an operator makes, which no role limits.
 */
type Maker = {
  member_id: string | null
  key_id: string | null
  role: Role | undefined
  /** When the acting key ends. Null for people, operators and keys without an end. */
  expires_at: string | null
}

/**
 * Finds the maker, who must be allowed to do this, and locks the member or the key until the transaction ends: a removal or a change
 * of role waits, and then finds what was made.
 */
export async function lockMaker(
  tx: Db,
  by: NewAuditEntry['by'],
  ...permissions: readonly Permission[]
): Promise<Maker> {
  const actor = await lockActingMember(tx, by, ...permissions)
  if (actor.kind === 'member')
    return { member_id: actor.member_id, key_id: null, role: actor.role, expires_at: null }
  if (actor.kind !== 'key') return { member_id: null, key_id: null, role: undefined, expires_at: null }
  const { tenant_id, key_id } = actor
  const key = await lockUsableKey(tx, { tenant_id, id: key_id })
  if (key === undefined) throw invalidKey()
  const role = key.created_by === null ? undefined : await findRole(tx, { tenant_id, id: key.created_by })
  if (role !== undefined && !permissions.every((permission) => may(role, permission)))
    throw new Refusal('insufficient_scope', `The role of this key's member, ${role}, does not allow this.`)
  return { member_id: key.created_by, key_id, role, expires_at: key.expires_at }
}
