import { generateKeyPairSync } from 'node:crypto'
import { signNote } from '@vidimus/evidence'
import { AuditTamperedError } from '../../src/audit/append.ts'
import { openLog, toSigningKey } from '../../src/audit/log/open-log.ts'
import { rotateAuditKey } from '../../src/audit/log/rotate-key.ts'
import { sequenceAudit } from '../../src/audit/chain/sequence.ts'
import { signLeaf } from '../../src/audit/log/sign-leaf.ts'
import { readSaved, verifyInTransaction } from '../../src/audit/verify/verify.ts'
import type { Context } from '../../src/engine/context.ts'
import type { Db } from '../../src/engine/db/open.ts'
import { sql } from '../../src/engine/db/sql.ts'
import { insertEntries, newTenants } from './audit.ts'

/** The columns that can be tampered with. `day` is excluded: it is the partition key, not content. */
const columns = {
  audit_entries: 'tenant_id seq at action actor detail link actor_name_hash purpose_hash subject_hash',
  audit_texts: 'tenant_id seq secret actor_name purpose subject',
  audit_chains: 'tenant_id seq link signed_seq signed_link',
  audit_leaves: 'index at heads_count heads_root new_heads_count new_heads_root',
  audit_heads: 'leaf place tenant_id seq link',
  audit_nodes: 'height index hash',
  audit_log: 'origin sealed_key checkpoint',
  audit_handovers: 'number note',
} as const
type Table = keyof typeof columns
const tables = Object.keys(columns) as Table[] // the keys of the object above

const integerColumns = [
  'seq',
  'signed_seq',
  'index',
  'heads_count',
  'new_heads_count',
  'leaf',
  'place',
  'height',
  'number',
]
const byteColumns = ['link', 'signed_link', 'secret', 'hash', 'sealed_key', 'heads_root', 'new_heads_root']

export type Tampering = { what: string; do: (tx: Db) => Promise<number> }

/** Its key is replaced before these leaves. */
const rotations = [1, 3]

/** Builds a log of five tenants that is long enough to have inner nodes, with three keys. Returns the checkpoint of each leaf. */
export async function buildLog(
  ctx: Context,
  leaves: number,
  { rotates = true }: { rotates?: boolean } = {},
): Promise<string[]> {
  const tenants = newTenants(5)
  const notes: string[] = []
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    if (rotates && rotations.includes(leaf)) await rotateAuditKey(ctx)
    await insertEntries(ctx.db, tenants.slice(leaf % 4), leaf < 30 ? 5 : 1)
    await sequenceAudit(ctx)
    await signLeaf({ ...ctx, pause_ms: 0 })
    notes.push((await openLog(ctx, ctx.db)).checkpoint ?? '')
  }
  return notes
}

/** Tampers with the stored rows, runs the check, and rolls back. Undefined if no row was affected. */
export async function isDetected(ctx: Context, tampering: Tampering): Promise<boolean | undefined> {
  let detected: boolean | undefined
  const undo = new Error('rolled back')
  const saved = await readSaved(ctx)
  await ctx.db
    .transaction(async (tx) => {
      if ((await tampering.do(tx)) > 0) {
        detected = await verifyInTransaction(ctx, tx, { saved }).then(
          ({ valid }) => !valid,
          (error: unknown) => {
            if (error instanceof AuditTamperedError) return true
            throw error
          },
        )
      }
      throw undo
    })
    .catch((error: unknown) => {
      // A row that the database rejects, such as a duplicate key, is not a result.
      if (error !== undo && !(error instanceof Error && 'constraint' in error)) throw error
    })
  return detected
}

/** A random manipulation that someone with write access to the database can make. */
export function randomTampering(): Tampering {
  return pick([change, change, drop, insert, reorder, truncate, resign])()
}

/** Restores everything to an earlier leaf, with the genuine checkpoint of that leaf. */
export function rewind(notes: readonly string[], size: number): Tampering {
  return {
    what: `the whole log is rolled back to ${size} leaves`,
    async do(tx) {
      await tx.execute(sql`delete from audit_leaves where index >= ${size}`)
      await tx.execute(sql`delete from audit_heads where leaf >= ${size}`)
      await tx.execute(sql`delete from audit_nodes where (index + 1) * 2 ^ height > ${size}`)
      await tx.execute(sql`
        update audit_chains chain set seq = head.seq, link = head.link, signed_seq = head.seq, signed_link = head.link
        from (select distinct on (tenant_id) tenant_id, seq, link from audit_heads order by tenant_id, seq desc) head
        where head.tenant_id = chain.tenant_id`)
      for (const table of ['audit_entries', 'audit_texts'])
        await tx.execute(
          raw(`delete from ${table} said using audit_chains chain
          where said.tenant_id = chain.tenant_id and said.seq > chain.seq`),
        )
      return tx.execute(sql`update audit_log set checkpoint = ${notes[size - 1]}`)
    },
  }
}

function change(): Tampering {
  const table = pick(tables)
  const column = pick(columns[table].split(' '))
  const name = column.replace(/_hash$/, '')
  const value = changed(column, name)
  return statement(
    `${table}.${name} is changed`,
    `update ${table} set ${name} = ${value} where ${anyRow(table)}`,
  )
}

function changed(column: string, name: string): string {
  if (integerColumns.includes(column))
    return `${name} + ${pick([-1, 1])} * (1 + floor(random() * 3)::integer)`
  if (column === 'tenant_id') return 'gen_random_uuid()'
  if (column === 'at') return `at + ${pick(['-', ''])}interval '1 microsecond'`
  if (byteColumns.includes(column) || column.endsWith('_hash')) {
    const bit = `floor(random() * 8 * octet_length(${name}))::integer`
    const flipped = `(select set_bit(${name}, bit, 1 - get_bit(${name}, bit)) from (select ${bit} as bit) one)`
    return `case when ${name} is null then sha256('injected') else ${flipped} end`
  }
  const [left, right] = [
    `left(${name}, floor(random() * char_length(${name}))::integer)`,
    `right(${name}, 2)`,
  ]
  return `case when ${name} is null then 'injected' else ${pick([`${left} || '_' || ${right}`, `${name} || ' '`, `replace(${name}, 'e', 'E') || '.'`])} end`
}

function drop(): Tampering {
  const table = pick(tables)
  return statement(`a row of ${table} is dropped`, `delete from ${table} where ${anyRow(table)}`)
}

/** Inserts a copy of a row at a different position. */
function insert(): Tampering {
  const table = pick(tables.filter((each) => each !== 'audit_log'))
  const key = {
    audit_leaves: 'index',
    audit_heads: 'place',
    audit_nodes: 'index',
    audit_chains: 'tenant_id',
  } as const
  const moved = table in key ? key[table as keyof typeof key] : pick(['seq', 'tenant_id']) // checked by `in`
  const names = ['day', ...columns[table].split(' ').map((column) => column.replace(/_hash$/, ''))].filter(
    (name) => name !== 'day' || ['audit_entries', 'audit_texts', 'audit_heads'].includes(table),
  )
  const values = names.map((name) => {
    if (name !== moved) return name
    return name === 'tenant_id' ? 'gen_random_uuid()' : `${name} + 1 + floor(random() * 100)::integer`
  })
  return statement(
    `a row is inserted into ${table}`,
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} where ${anyRow(table)}`,
  )
}

/** Swaps two rows. */
function reorder(): Tampering {
  const [table, group, place, rest] = pick([
    ['audit_entries', 'tenant_id', 'seq', 'at action actor detail link actor_name purpose subject'],
    ['audit_entries', 'tenant_id', 'seq', 'at action actor detail actor_name purpose subject'],
    ['audit_texts', 'tenant_id', 'seq', 'secret actor_name purpose subject'],
    ['audit_leaves', '0', 'index', 'at heads_count heads_root new_heads_count new_heads_root'],
    ['audit_heads', 'leaf', 'place', 'tenant_id seq link'],
  ] as const)
  const set = rest.split(' ').map((name) => `${name} = other.${name}`)
  const of = (name: string) => (group === '0' ? '0' : `${name}.${group}`)
  return statement(
    `two rows of ${table} are swapped`,
    `with one as materialized (select * from ${table} where ${anyRow(table)}),
     two as materialized (
       select each.* from ${table} each, one where ${of('each')} = ${of('one')} and each.${place} <> one.${place}
       order by random() limit 1)
     update ${table} row set ${set.join(', ')}
     from (select two.*, one.${place} as goes_to from one, two union all select one.*, two.${place} from one, two) other
     where ${of('row')} = ${of('other')} and row.${place} = other.goes_to`,
  )
}

/** Truncates a chain with its head, the leaves, or the list of heads. */
function truncate(): Tampering {
  const kind = pick(['chain', 'leaves', 'heads'])
  if (kind !== 'chain') {
    const [table, place] = kind === 'leaves' ? ['audit_leaves', 'index'] : ['audit_heads', 'leaf']
    return statement(
      `the end of ${table} is truncated`,
      `delete from ${table} where ${place} > (select max(${place}) - 1 - floor(random() * 20) from ${table})`,
    )
  }
  return {
    what: 'the end of a chain is truncated, with its head',
    async do(tx) {
      const [end] = await tx.query<{ tenant_id: string; seq: number; link: Buffer }>(sql`
        select entry.tenant_id, entry.seq, entry.link from audit_entries entry
        join audit_chains chain on chain.tenant_id = entry.tenant_id and chain.seq > entry.seq
        order by random() limit 1`)
      if (end === undefined) return 0
      const { tenant_id, seq, link } = end
      await tx.execute(sql`delete from audit_entries where tenant_id = ${tenant_id} and seq > ${seq}`)
      await tx.execute(sql`delete from audit_texts where tenant_id = ${tenant_id} and seq > ${seq}`)
      return tx.execute(sql`
        update audit_chains set seq = ${seq}, link = ${link}, signed_seq = ${seq}, signed_link = ${link}
        where tenant_id = ${tenant_id}`)
    },
  }
}

/** Signs the current log with another key under the same name. */
function resign(): Tampering {
  return {
    what: 'the checkpoint is signed with another key',
    async do(tx) {
      const [log] = await tx.query<{ origin: string; checkpoint: string }>(
        sql`select origin, checkpoint from audit_log`,
      )
      if (log === undefined) return 0
      const { privateKey } = generateKeyPairSync('ed25519')
      const text = log.checkpoint.slice(0, log.checkpoint.lastIndexOf('\n\n') + 1)
      return tx.execute(
        sql`update audit_log set checkpoint = ${signNote(text, toSigningKey(log.origin, privateKey))}`,
      )
    },
  }
}

function statement(what: string, text: string): Tampering {
  return { what, do: (tx) => tx.execute(raw(text)) }
}

/** Partitions have different tables, and ctid repeats between them. */
function anyRow(table: Table): string {
  return `(tableoid, ctid) = (select tableoid, ctid from ${table} order by random() limit 1)`
}

/** A text as a statement. There are few different texts: random values are generated by the database. */
function raw(text: string) {
  return sql(Object.assign([text], { raw: [text] }))
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}
