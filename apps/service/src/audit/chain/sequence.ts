import { randomBytes } from 'node:crypto'
import {
  type Entry,
  type TextName,
  type Texts,
  canonicalize,
  commitText,
  computeLink,
  deriveSalt,
  firstLink,
  textNames,
  toHex,
} from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { dropPartition, isDuplicate, makePartitionsAhead, partitionDays } from '../../engine/db/index.ts'
import { AuditTamperedError } from '../append.ts'
import { type EntryWithTextsRow, readOldestTextsDay } from './history-store.ts'
import {
  type ChainRow,
  type EntryRow,
  type InboxRow,
  type TextsRow,
  insertEntries,
  insertTexts,
  lockChains,
  lockShards,
  countWaiting,
  readLag,
  readPendingShards,
  takeFromInbox,
  upsertChains,
} from './store.ts'

const maxBatch = 1000
/** With more than one batch waiting, a transaction takes only some shards, so that several workers can share the load. */
const maxShards = 4
/** Passes end when less than a full batch was waiting, or after this many, to let the next leaf be signed. */
const maxPasses = 20
const secret_bytes = 32

/**
 * Moves entries from the inbox to their chains and returns their number. Tenants are divided into shards, and a shard has one
 * sequencer at a time across all nodes, so that a chain never forks. If a sequencer dies, its batch stays in the inbox.
 */
export async function sequenceAudit({ db }: Pick<Context, 'db'>): Promise<number> {
  let sequenced = 0
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const count = await sequencePending(db)
    sequenced += count
    if (count < maxBatch) break
  }
  return sequenced
}

/** A chain that was tampered with blocks only its own shard: a group that fails is retried shard by shard. */
async function sequencePending(db: Context['db']): Promise<number> {
  const groups = groupShards(await readPendingShards(db))
  const failures: unknown[] = []
  let sequenced = 0
  for (const group of groups) {
    try {
      sequenced += await sequenceShards(db, group)
    } catch (error) {
      if (group.length === 1) failures.push(error)
      else groups.push(...group.map((shard) => [shard]))
    }
  }
  if (failures.length > 0) throw failures[0]
  return sequenced
}

/** Everything that fits into one transaction goes into one, because a small transaction is mostly overhead. */
function groupShards(pending: readonly { shard: number; entries: number }[]): number[][] {
  const shards = pending.map(({ shard }) => shard)
  const entries = pending.reduce((sum, each) => sum + each.entries, 0)
  const size = entries <= maxBatch ? shards.length : maxShards
  return Array.from({ length: Math.ceil(shards.length / size) }, (_, group) =>
    shards.slice(group * size, (group + 1) * size),
  )
}

/** Hashes inside the transaction, because each link needs the previous one, which is locked. It takes about 20 µs per entry. */
async function sequenceShards(db: Context['db'], shards: number[]): Promise<number> {
  return db.transaction(async (tx) => {
    const { locked, today } = await lockShards(tx, shards)
    const taken = locked.length === 0 ? [] : await takeFromInbox(tx, locked, maxBatch)
    if (taken.length === 0) return 0

    const chains = await lockChains(tx, [...new Set(taken.map(({ tenant_id }) => tenant_id))])
    const { entries, texts, chains: updated } = chainEntries(taken, chains, today)
    await insertEntries(tx, entries).catch(rethrowDuplicate)
    if (texts.length > 0) await insertTexts(tx, texts).catch(rethrowDuplicate)
    await upsertChains(tx, updated)
    return taken.length
  })
}

function rethrowDuplicate(error: unknown): never {
  if (isDuplicate(error)) throw new AuditTamperedError('a chain has entries beyond its recorded end')
  throw error
}

/** Gives each entry its number and link, in the order of the inbox. */
function chainEntries(taken: readonly InboxRow[], chains: readonly ChainRow[], today: string) {
  const heads = new Map(chains.map((chain) => [chain.tenant_id, chain]))
  const entries: EntryRow[] = []
  const texts: TextsRow[] = []
  const secrets = randomBytes(secret_bytes * taken.length)
  for (const [index, { tenant_id, at, action, actor, detail, ...entryTexts }] of taken.entries()) {
    const head = heads.get(tenant_id) ?? { day: today, seq: 0, link: firstLink }
    const day = head.day > today ? head.day : today
    const seq = head.seq + 1
    const secret = secrets.subarray(index * secret_bytes, (index + 1) * secret_bytes)
    const { actor_name, purpose, subject } = entryTexts
    const commit = (name: TextName) => {
      const text = entryTexts[name]
      return text === null ? null : commitText(name, { salt: deriveSalt(secret, name), text })
    }
    const entry = {
      tenant_id,
      seq,
      at,
      action,
      actor,
      detail: detail === null ? null : canonicalize(detail),
      actor_name: commit('actor_name'),
      purpose: commit('purpose'),
      subject: commit('subject'),
    }
    const link = computeLink(head.link, rowToEntry(entry))
    entries.push({ ...entry, day, link })
    if (actor_name !== null || purpose !== null || subject !== null) {
      texts.push({ day, tenant_id, seq, secret, actor_name, purpose, subject })
    }
    heads.set(tenant_id, { tenant_id, day, seq, link })
  }
  return { entries, texts, chains: [...heads.values()] }
}

/** How long the oldest entry in the inbox has waited, in seconds. */
export async function readAuditLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return readLag(db)
}

/** What waits for its chain, and for how long the oldest of it. */
export async function readAuditQueue({
  db,
}: Pick<Context, 'db'>): Promise<{ waiting: number; lag_seconds: number }> {
  return { waiting: await countWaiting(db), lag_seconds: await readLag(db) }
}

/**
 * Drops the texts of expired days, one partition at a time. A partition in use is left for the next round. Checks of the chain
 * account for the missing texts by the age of their entries.
 */
export async function dropOldTexts({ db, config }: Pick<Context, 'db' | 'config'>): Promise<number> {
  await makePartitionsAhead(db)
  const end = await readOldestTextsDay(db, config.AUDIT_TEXT_RETENTION_DAYS)
  const old = (await partitionDays(db, 'audit_texts')).filter((day) => day < end)
  const dropped = await Promise.all(old.map((day) => dropPartition(db, 'audit_texts', day)))
  return dropped.filter(Boolean).length
}

/** The entry in the form that is hashed. The same function serves chaining and reading. */
export function rowToEntry(row: Omit<EntryRow, 'day' | 'link'>): Entry {
  const { tenant_id, seq, at, action, actor, detail } = row
  const commitments = pickPresent((name) => (row[name] === null ? undefined : toHex(row[name])))
  return {
    action,
    actor,
    at,
    ...(commitments !== undefined && { commitments }),
    ...(detail !== null && { detail: parseDetail(detail) }),
    seq,
    tenant_id,
    v: 1,
  }
}

/** The sequencer stores `detail` as canonical JSON. An altered text becomes an empty object, which matches no link. */
function parseDetail(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    const isCanonical = typeof value === 'object' && value !== null && canonicalize(value) === text
    return isCanonical ? (value as Record<string, unknown>) : {} // an object, checked above
  } catch {
    // No longer JSON.
    return {}
  }
}

/** The texts of an entry with their salts; undefined if they are missing. */
export function rowToTexts(row: EntryWithTextsRow): Texts | undefined {
  const { secret } = row
  if (secret === null) return undefined
  return pickPresent((name) => {
    const text = row[`${name}_text`]
    return text === null ? undefined : { salt: toHex(deriveSalt(secret, name)), text }
  })
}

/** An object of the names that have a value; undefined if none has. */
function pickPresent<Value>(
  read: (name: (typeof textNames)[number]) => Value | undefined,
): { [Name in (typeof textNames)[number]]?: Value } | undefined {
  const values = textNames.flatMap((name) => {
    const value = read(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}
