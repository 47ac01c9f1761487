import type { Client } from 'pg'

/** Bytes of a table, its partitions together, and of its indexes. */
export type TableSize = { table: string; heap: number; indexes: number }

/** The tables that grow with verifications. The others are bounded by the number of tenants or hold what is under way. */
export const sizedTables = [
  'verification_sessions',
  'verification_results',
  'idempotency_keys',
  'webhook_deliveries',
  'webhook_responses',
  'audit_entries',
  'audit_texts',
  'audit_heads',
  'request_log',
] as const

/** Reads the sizes of the tables that grow, after what was deleted is gone. */
export async function readSizes(client: Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(
    `select parent.relname as table,
       sum(pg_table_size(child.oid))::float8 as heap, sum(pg_indexes_size(child.oid))::float8 as indexes
     from pg_inherits
     join pg_class parent on parent.oid = inhparent
     join pg_class child on child.oid = inhrelid
     where parent.relname = any($1)
     group by parent.relname
     limit 100`,
    [[...sizedTables]],
  )
  return rows
}
