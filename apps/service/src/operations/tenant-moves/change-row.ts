import { randomBytes } from 'node:crypto'
import type { Context } from '../../engine/context.ts'
import { declaredTables } from '../../engine/db/index.ts'
import { type Keyring, carrySeed } from '../../engine/keyring/index.ts'

export type Cells = {
  source: Pick<Context, 'config' | 'keyring'>
  target: Pick<Context, 'config' | 'keyring'>
}
type Row = Record<string, unknown>

/** Whether rows of this table contain anything that depends on the cell. */
export function needsChange(table: string): boolean {
  return (
    table in otherChanges || declaredTables.some(({ name, sealed }) => name === table && sealed !== undefined)
  )
}

/** A row as JSON, for the other cell: sealed again under its ring, without what only this cell can compute. */
export async function changeRow(cells: Cells, table: string, json: string): Promise<string> {
  // Most sessions are closed and have no seed.
  if (table === 'verification_sessions' && json.includes('"seed": null')) return json
  const row = JSON.parse(json) as Row // written by to_jsonb
  const sealed = declaredTables.find(({ name }) => name === table)?.sealed ?? {}
  for (const [column, use] of Object.entries(sealed))
    row[column] = await reseal(cells, use, row[column] as string | null)
  return JSON.stringify({ ...row, ...otherChanges[table]?.(cells, row) })
}

async function reseal(
  { source, target }: { source: { keyring: Keyring }; target: { keyring: Keyring } },
  use: string,
  sealed: string | null,
): Promise<string | null> {
  return sealed === null
    ? null
    : toBytea(target.keyring.seal(use, await source.keyring.unseal(use, fromBytea(sealed))))
}

const otherChanges: Readonly<Record<string, (cells: Cells, row: Row) => Row>> = {
  // The other cell's log has signed nothing of this chain yet.
  audit_chains: () => ({ signed_seq: 0, signed_link: null }),
  // The hash of a code cannot be computed again: a device that waits for its code needs a new one.
  devices: () => ({ pairing_hash: toBytea(randomBytes(32)) }),
  request_log: () => ({ session_hash: null }),
  tenants: ({ source }, { hashing_cell }) => ({ hashing_cell: hashing_cell ?? source.config.CELL }),
  verification_sessions: ({ source, target }, { seed }) => ({
    seed:
      typeof seed === 'string'
        ? toBytea(
            carrySeed(fromBytea(seed), {
              from: source.keyring.derivationKey(),
              to: target.keyring.derivationKey(),
            }),
          )
        : null,
  }),
}

/** PostgreSQL's text form of bytes. */
function fromBytea(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

function toBytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`
}
