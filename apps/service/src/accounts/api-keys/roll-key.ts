import { randomUUID } from 'node:crypto'
import type { Environment, RollKey } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { lockPlanLimits } from '../tenants/store.ts'
import { displayPrefix, hashKey, newKey } from './authenticate-key.ts'
import { lockMaker, requireGrantableScopes } from './create-key.ts'
import { type KeyRow, countUsableKeys, findKey, insertReplacement, markRevoked, markRolled } from './store.ts'

type RollKeyInput = RollKey & { by: NewAuditEntry['by']; environment: Environment; key_id: string }
type RolledKey = { row: KeyRow; key: string }

/**
 * Replaces a key by a new one with the same name, scopes and lifetime, which is shown only once. The old key works until the
 * overlap ends; without an overlap every node refuses it from the next request on.
 */
export async function rollKey(
  { config, db, ledger }: Pick<Context, 'config' | 'db' | 'ledger'>,
  { by, environment, key_id, overlap_seconds }: RollKeyInput,
): Promise<RolledKey> {
  const key = newKey(environment, config.CELL)
  const plan = {
    tenant_id: by.tenant_id,
    environment,
    id: key_id,
    new_id: randomUUID(),
    hash: hashKey(key),
    prefix: displayPrefix(key),
    overlap_seconds,
  }
  return db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, 'manage_keys')
    if (by.kind !== 'operator' && overlap_seconds > 0) await enforceOverlapLimit(tx, by.tenant_id)
    const old = await findKey(tx, { tenant_id: by.tenant_id, id: key_id })
    if (old?.environment !== environment) throw notFound('key_not_found')
    requireGrantableScopes(by, maker, old.scopes)
    const roll = { ...plan, created_by: maker.member_id }
    const ended = await markRolled(tx, roll)
    if (ended === undefined)
      throw new Refusal('key_not_usable', 'This key has expired, or was revoked or rolled before.')
    const row = await insertReplacement(tx, roll, old)
    await appendAudit(tx, {
      action: 'key.created',
      by,
      subject: row.id,
      detail: { prefix: row.prefix, environment, scopes: row.scopes, replaces: key_id },
    })
    await appendAudit(tx, {
      action: 'key.rolled',
      by,
      subject: key_id,
      detail: { prefix: old.prefix, replaced_by: row.id, overlap_seconds },
    })
    await ledger.record(tx, [
      {
        kind: 'api_key',
        id: key_id,
        // The day on which the overlap ends: until then the old key works after a restore too.
        ...(overlap_seconds > 0 && ended.expires_at !== null && { day: ended.expires_at.slice(0, 10) }),
      },
    ])
    return { row, key }
  })
}

/** Rolled keys do not count against the plan while they still work, so that a tenant at its limit can roll; there can be as many again. */
async function enforceOverlapLimit(tx: Db, tenant_id: string): Promise<void> {
  const limits = await lockPlanLimits(tx, tenant_id)
  if (limits === undefined) throw new Error('the caller has no tenant')
  if ((await countUsableKeys(tx, tenant_id, { rolled: true, max: limits.keys })) >= limits.keys)
    throw new Refusal(
      'too_many',
      `${limits.keys} rolled keys still work. Revoke one of them, or roll without an overlap.`,
    )
}

type RevokeKey = {
  by: NewAuditEntry['by']
  key_id: string
  /** The environment that the key must belong to; either one if absent. */
  environment?: Environment
}

/** Revokes a key for good. Every node refuses it from the next request on, since every request validates its copy of the key (AUTH-12). */
export async function revokeKey(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, key_id, environment }: RevokeKey,
): Promise<KeyRow> {
  return db.transaction(async (tx) => {
    const row = await markRevoked(tx, {
      tenant_id: by.tenant_id,
      id: key_id,
      ...(environment !== undefined && { environment }),
    })
    if (row === undefined) throw notFound('key_not_found')
    await appendAudit(tx, { action: 'key.revoked', by, subject: key_id, detail: { prefix: row.prefix } })
    await ledger.record(tx, [{ kind: 'api_key', id: key_id }])
    return row
  })
}
