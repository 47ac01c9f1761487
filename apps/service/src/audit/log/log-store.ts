import type { Db } from '../../engine/db/index.ts'
import { dayLiteral, sql } from '../../engine/db/sql.ts'

/**
 * `handovers` are the notes with which the log's key was replaced, oldest first; there is one if `was_replaced`. They are stored with
 * the numbers from 1 to `last_number`.
 */
export type LogRow = {
  origin: string
  sealed_key: Buffer
  checkpoint: string | null
  was_replaced: boolean
  handovers: string[]
  last_number: number
}

export async function readLog(db: Db): Promise<LogRow | undefined> {
  const [row] = await db.query<LogRow>(sql`
    select origin, sealed_key, checkpoint, signature_start is not null as was_replaced,
      array(select note from audit_handovers order by number) as handovers,
      coalesce((select max(number) from audit_handovers), 0) as last_number
    from audit_log`)
  return row
}

/** Does nothing if the log already exists. */
export async function insertLog(
  db: Db,
  { origin, sealed_key }: Pick<LogRow, 'origin' | 'sealed_key'>,
): Promise<void> {
  await db.execute(sql`
    insert into audit_log (origin, sealed_key) values (${origin}, ${sealed_key}) on conflict do nothing`)
}

/** Stores a checkpoint that was signed with this key. False if the log has another key by now. */
export async function updateCheckpoint(
  tx: Db,
  { checkpoint, sealed_key }: { checkpoint: string; sealed_key: Buffer },
): Promise<boolean> {
  const changed = await tx.execute(
    sql`update audit_log set checkpoint = ${checkpoint} where sealed_key = ${sealed_key}`,
  )
  return changed === 1
}

export type ReplaceKey = {
  /** What the new key and the handover were made for. */
  before: Pick<LogRow, 'sealed_key' | 'checkpoint'>
  sealed_key: Buffer
  /** The same checkpoint, signed with the new key. */
  checkpoint: string | null
  signature_start: string
  number: number
  note: string
}

/** Replaces the key, together with its handover, unless the log has another key or checkpoint by now. False if it has. */
export async function replaceKey(
  db: Db,
  { before, sealed_key, checkpoint, signature_start, number, note }: ReplaceKey,
): Promise<boolean> {
  const inserted = await db.execute(sql`
    with replaced as (
      update audit_log
      set sealed_key = ${sealed_key}, checkpoint = ${checkpoint}, signature_start = ${signature_start}
      where sealed_key = ${before.sealed_key} and checkpoint is not distinct from ${before.checkpoint}::text
      returning origin
    )
    insert into audit_handovers (number, note) select ${number}::integer, ${note} from replaced`)
  return inserted === 1
}

export type LeafRow = {
  index: number
  at: string
  heads_count: number
  heads_root: Uint8Array
  new_heads_count: number
  new_heads_root: Uint8Array
}
const leafColumns = sql`index, at, heads_count, heads_root, new_heads_count, new_heads_root`

export async function readLastLeaf(db: Db): Promise<LeafRow | undefined> {
  const [row] = await db.query<LeafRow>(
    sql`select ${leafColumns} from audit_leaves order by index desc limit 1`,
  )
  return row
}

/** The time of the next leaf, always later than the previous one, even if the clock was set back; undefined if it is too early. */
export async function nextLeafTime(
  tx: Db,
  { after, pause_ms }: { after: string | undefined; pause_ms: number },
): Promise<{ at: string; day: string } | undefined> {
  const [row] = await tx.query<{ at: string; day: string }>(sql`
    select at, (at at time zone 'UTC')::date as day
    from (select service_now() as now, ${after ?? '-infinity'}::timestamptz as before) time
    cross join lateral (select greatest(now, before + interval '1 microsecond') as at) next
    where now < before or now >= before + ${pause_ms} * interval '1 millisecond'`)
  return row
}

export type HeadRow = { tenant_id: string; seq: number; link: Uint8Array }

/** The head of a chain that grew, and the number of its entry that was signed before. */
export type GrownHead = HeadRow & { signed: number }

/** Marks the chains with unsigned entries as signed and returns their heads. Chains locked by a sequencer wait for the next leaf. */
export async function takeNewHeads(tx: Db, limit: number): Promise<GrownHead[]> {
  return tx.query<GrownHead>(sql`
    update audit_chains chain set signed_seq = chain.seq, signed_link = chain.link
    from (
      select tenant_id, signed_seq from audit_chains where seq > signed_seq
      order by tenant_id limit ${limit} for update skip locked
    ) grown
    where chain.tenant_id = grown.tenant_id
    returning chain.tenant_id, chain.seq, chain.link, grown.signed_seq as signed`)
}

/** Earlier heads of the chains that grew: of every `interval`-th entry that was chained on the given day or later. */
export async function readInnerHeads(
  tx: Db,
  {
    grown,
    interval,
    from_day,
    limit,
  }: { grown: readonly GrownHead[]; interval: number; from_day: string; limit: number },
): Promise<HeadRow[]> {
  const long = grown.filter(({ seq, signed }) => seq - signed > interval)
  if (long.length === 0) return []
  return tx.query<HeadRow>(sql`
    select e.tenant_id, e.seq, e.link
    from unnest(${long.map((head) => head.tenant_id)}::uuid[], ${long.map((head) => head.signed)}::bigint[],
      ${long.map((head) => head.seq)}::bigint[]) as head (tenant_id, signed, seq)
    cross join lateral (
      select tenant_id, seq, link from audit_entries
      where day >= ${dayLiteral(from_day)} and tenant_id = head.tenant_id
        and seq > head.signed and seq < head.seq and (seq - head.signed) % ${interval} = 0
      order by seq limit ${limit}
    ) e
    limit ${limit}`)
}

/** The signed heads of the tenants after the given one, ordered by tenant. */
export async function readSignedHeads(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<HeadRow[]> {
  return db.query<HeadRow>(sql`
    select tenant_id, signed_seq as seq, coalesce(signed_link, '') as link from audit_chains
    where tenant_id > ${after} and signed_seq > 0
    order by tenant_id limit ${limit}`)
}

export async function insertLeaf(tx: Db, leaf: LeafRow): Promise<void> {
  await tx.execute(sql`
    insert into audit_leaves (${leafColumns})
    values (${leaf.index}, ${leaf.at}, ${leaf.heads_count}, ${leaf.heads_root}, ${leaf.new_heads_count},
      ${leaf.new_heads_root})`)
}

export async function insertHeads(
  tx: Db,
  { day, leaf, heads }: { day: string; leaf: number; heads: readonly HeadRow[] },
): Promise<void> {
  await tx.execute(sql`
    insert into audit_heads (day, leaf, place, tenant_id, seq, link)
    select ${day}, ${leaf}, place - 1, tenant_id, seq, link from unnest(
      ${heads.map((head) => head.tenant_id)}::uuid[], ${heads.map((head) => head.seq)}::bigint[],
      ${heads.map((head) => head.link)}::bytea[]) with ordinality as head (tenant_id, seq, link, place)`)
}

export type NodeRow = { height: number; index: number; hash: Uint8Array }

export async function insertNodes(tx: Db, nodes: readonly NodeRow[]): Promise<void> {
  await tx.execute(sql`
    insert into audit_nodes (height, index, hash)
    select * from unnest(
      ${nodes.map((node) => node.height)}::smallint[], ${nodes.map((node) => node.index)}::bigint[],
      ${nodes.map((node) => node.hash)}::bytea[])`)
}

/** Adjacent nodes of one height; `to` is exclusive. */
export type NodeRange = { height: number; from: number; to: number }

export async function readNodes(db: Db, ranges: readonly NodeRange[]): Promise<NodeRow[]> {
  return db.query<NodeRow>(sql`
    select node.height, node.index, node.hash
    from unnest(
      ${ranges.map(({ height }) => height)}::smallint[], ${ranges.map(({ from }) => from)}::bigint[],
      ${ranges.map(({ to }) => to)}::bigint[]) as range (height, first, past)
    join audit_nodes node on node.height = range.height and node.index >= range.first and node.index < range.past`)
}

export async function readLeaves(db: Db, ranges: readonly Omit<NodeRange, 'height'>[]): Promise<LeafRow[]> {
  return db.query<LeafRow>(sql`
    select ${leafColumns}
    from unnest(${ranges.map(({ from }) => from)}::bigint[], ${ranges.map(({ to }) => to)}::bigint[])
      as range (first, past)
    join audit_leaves on index >= first and index < past`)
}

export type HeadInLeaf = HeadRow & { leaf: number; place: number }

/** The new heads of a range of leaves, in tree order. */
export async function readNewHeads(
  db: Db,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<HeadInLeaf[]> {
  return db.query<HeadInLeaf>(sql`
    select leaf, place, tenant_id, seq, link from audit_heads
    where leaf >= ${from} and leaf < ${to}
    order by leaf, place limit ${limit}`)
}

export type OrphanCounts = { entries: number; texts: number; heads: number; nodes: number }

/** Counts rows that do not belong to the log: entries and texts outside any chain, heads and nodes beyond its end. */
export async function countOrphans(db: Db, size: number): Promise<OrphanCounts> {
  const [row] = await db.query<OrphanCounts>(sql`
    select
      (select count(*) from audit_entries e left join audit_chains c using (tenant_id)
       where c.tenant_id is null or e.seq < 1 or e.seq > c.seq) as entries,
      (select count(*) from audit_texts t left join audit_chains c using (tenant_id)
       where c.tenant_id is null or t.seq < 1 or t.seq > c.seq) as texts,
      (select count(*) from audit_heads where leaf < 0 or leaf >= ${size}) as heads,
      (select count(*) from audit_nodes
       where height not in (8, 16, 24, 32, 40, 48) or index < 0 or (index + 1) * 2 ^ height > ${size}) as nodes`)
  return row ?? { entries: 0, texts: 0, heads: 0, nodes: 0 }
}

/** The tenant's first signed head that covers an entry, with its position in its leaf. */
export async function readCoveringHead(
  db: Db,
  { tenant_id, seq }: { tenant_id: string; seq: number },
): Promise<HeadInLeaf | undefined> {
  const [row] = await db.query<HeadInLeaf>(sql`
    select leaf, place, tenant_id, seq, link from audit_heads
    where tenant_id = ${tenant_id} and seq >= ${seq}
    order by seq limit 1`)
  return row
}

/** The newest checkpoint that a restored log does not continue: the size and root (hexadecimal) of the lost log, and the size of the restored one. */
export type AbandonedLog = { abandoned_size: number; abandoned_root: string; continued_size: number }

/** Appends an entry to the chain of every tenant and of the installation, unless one of today or yesterday names the same checkpoint. */
export async function insertRestoredEntries(
  tx: Db,
  named: AbandonedLog,
  installation: string,
): Promise<void> {
  const detail = JSON.stringify(named)
  await tx.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, detail)
    select t.id, 'audit.restored', 'operator', ${detail}::jsonb
    from (select id from tenants union all select ${installation}::uuid) t
    where not exists (
        select from audit_inbox i
        where i.tenant_id = t.id and i.action = 'audit.restored' and i.detail->>'abandoned_root' = ${named.abandoned_root})
      and not exists (
        select from audit_entries e
        where e.tenant_id = t.id and e.day >= service_day() - 1 and e.action = 'audit.restored'
          and strpos(e.detail, ${named.abandoned_root}) > 0)`)
}
