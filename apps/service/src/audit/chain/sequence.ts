import { randomBytes } from 'node:crypto'
import {
  canonicalize,
  commitText,
  deriveSalt,
  firstLink,
  computeLink,
  type TextName,
} from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import { isDuplicate } from '../../platform/db/failures.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { rowToEntry } from './row-to-entry.ts'
import {
  insertEntries,
  insertTexts,
  lockChains,
  lockShards,
  upsertChains,
  readPendingShards,
  takeFromInbox,
  type ChainRow,
  type EntryRow,
  type InboxRow,
  type TextsRow,
} from './store.ts'

/** How many entries one transaction takes, and of how many shards when more wait: several workers then find something to do. */
const batch = 1000
const maxShards = 4
/** A pass that moves less than a batch leaves the rest to the next round; so many passes make way for the tick. */
const maxPasses = 20
const secret_bytes = 32

/**
 * Moves entries from the inbox to their chains and returns how many. Tenants are spread over shards, and a shard has one
 * sequencer at a time, on whichever node: so a chain never forks. A sequencer that dies leaves its batch in the inbox.
 */
export async function sequenceAudit({ db }: Pick<Context, 'db'>): Promise<number> {
  let sequenced = 0
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const moved = await sequenceWaiting(db)
    sequenced += moved
    if (moved < batch) break
  }
  return sequenced
}

/** A chain that was tampered with holds up its own shard and no other: a group that fails is done shard by shard. */
async function sequenceWaiting(db: Context['db']): Promise<number> {
  const groups = groupShards(await readPendingShards(db))
  const failures: unknown[] = []
  let moved = 0
  for (const group of groups) {
    try {
      moved += await sequenceShards(db, group)
    } catch (error) {
      if (group.length === 1) failures.push(error)
      else groups.push(...group.map((shard) => [shard]))
    }
  }
  if (failures.length > 0) throw failures[0]
  return moved
}

/** What fits into one transaction goes into one: most of the cost of a small one is its statements. */
function groupShards(waiting: readonly { shard: number; entries: number }[]): number[][] {
  const shards = waiting.map(({ shard }) => shard)
  const entries = waiting.reduce((sum, each) => sum + each.entries, 0)
  const size = entries <= batch ? shards.length : maxShards
  return Array.from({ length: Math.ceil(shards.length / size) }, (_, group) =>
    shards.slice(group * size, (group + 1) * size),
  )
}

/** Hashing stands inside the transaction because each link needs the one before, which the lock keeps still: about 20 µs an entry. */
async function sequenceShards(db: Context['db'], wanted: number[]): Promise<number> {
  return db.transaction(async (tx) => {
    const { locked, today } = await lockShards(tx, wanted)
    const taken = locked.length === 0 ? [] : await takeFromInbox(tx, locked, batch)
    if (taken.length === 0) return 0

    const chains = await lockChains(tx, [...new Set(taken.map(({ tenant_id }) => tenant_id))])
    const { entries, texts, moved } = chainEntries(taken, chains, today)
    await insertEntries(tx, entries).catch(rethrowDuplicate)
    if (texts.length > 0) await insertTexts(tx, texts).catch(rethrowDuplicate)
    await upsertChains(tx, moved)
    return taken.length
  })
}

function rethrowDuplicate(error: unknown): never {
  if (isDuplicate(error)) throw new AuditTamperedError('a chain goes on where it is said to end')
  throw error
}

/** Gives each entry its place and its link, in the order of the inbox. */
function chainEntries(taken: readonly InboxRow[], chains: readonly ChainRow[], today: string) {
  const ends = new Map(chains.map((chain) => [chain.tenant_id, chain]))
  const entries: EntryRow[] = []
  const texts: TextsRow[] = []
  const secrets = randomBytes(secret_bytes * taken.length)
  for (const [place, { tenant_id, at, action, actor, detail, ...said }] of taken.entries()) {
    const end = ends.get(tenant_id) ?? { day: today, seq: 0, link: firstLink }
    const day = end.day > today ? end.day : today
    const seq = end.seq + 1
    const secret = secrets.subarray(place * secret_bytes, (place + 1) * secret_bytes)
    const { actor_name, purpose, subject } = said
    const commit = (name: TextName) => {
      const text = said[name]
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
    const link = computeLink(end.link, rowToEntry(entry))
    entries.push({ ...entry, day, link })
    if (actor_name !== null || purpose !== null || subject !== null) {
      texts.push({ day, tenant_id, seq, secret, actor_name, purpose, subject })
    }
    ends.set(tenant_id, { tenant_id, day, seq, link })
  }
  return { entries, texts, moved: [...ends.values()] }
}
