import { toHex, writeExportLine } from '@vidimus/evidence'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Db, partitionDays } from '../../engine/db/index.ts'
import { type EntryWithTextsRow, beginSnapshot, hasUnsignedErasure, readDay } from '../chain/history-store.ts'
import { rowToEntry, rowToTexts } from '../chain/sequence.ts'
import { flushAudit } from '../advance.ts'
import { readLogState } from '../log/open-log.ts'
import { sealChain } from './seal.ts'

type ExportChain = {
  tenant_id: string
  /** An earlier checkpoint. The export then proves that it continues this checkpoint. */
  since?: string | undefined
  /** Writes a line. The next one is read once this resolves, which applies back-pressure. */
  write: (line: string) => Promise<void> | void
  onProgress?: ((done: number, of: number) => void) | undefined
}

/** Writes a tenant's whole chain and its seal as JSON lines, which can be checked without the service. */
export async function exportChain(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { tenant_id, since, write, onProgress }: ExportChain,
): Promise<void> {
  await withConsistentSnapshot(ctx, tenant_id, async (tx) => {
    const state = await readLogState(ctx, tx)
    const seal = await sealChain(tx, state, { tenant_id, since })
    const end = state.heads.get(tenant_id)?.seq ?? 0
    for await (const { seq, line } of readExportLines(tx, tenant_id)) {
      if (seq > end) break
      await write(line)
      onProgress?.(seq, end)
    }
    await write(writeExportLine({ seal }))
  })
}

type ExportLine = { seq: number; line: string; link: Uint8Array; hasTexts: boolean }

const pageSize = 2000

/** A tenant's entries in chain order, as lines of an export. */
export async function* readExportLines(db: Db, tenant_id: string): AsyncGenerator<ExportLine> {
  for (const day of await partitionDays(db, 'audit_entries')) {
    let rows: EntryWithTextsRow[]
    let after = 0
    do {
      rows = await readDay(db, { tenant_id, day, after, limit: pageSize })
      for (const row of rows)
        yield { seq: row.seq, line: toExportLine(row), link: row.link, hasTexts: row.secret !== null }
      after = rows.at(-1)?.seq ?? 0
    } while (rows.length === pageSize)
  }
}

function toExportLine(row: EntryWithTextsRow): string {
  const texts = rowToTexts(row)
  return writeExportLine({
    entry: rowToEntry(row),
    link: toHex(row.link),
    ...(texts !== undefined && { texts }),
  })
}

const maxAttempts = 20

/**
 * Reads the log, of one tenant or of all, in a snapshot in which every erasure that deleted texts has its signed entry;
 * otherwise those texts would seem to be missing without a reason. A concurrent erasure makes it try again.
 */
export async function withConsistentSnapshot<Result>(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenant_id: string | undefined,
  read: (tx: Db) => Promise<Result>,
  limits?: { statement_ms: number },
): Promise<Result> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await flushAudit(ctx, tenant_id)
    const snapshot = await ctx.db.transaction(async (tx) => {
      await beginSnapshot(tx)
      return (await hasUnsignedErasure(tx, tenant_id)) ? undefined : { result: await read(tx) }
    }, limits)
    if (snapshot !== undefined) return snapshot.result
  }
  throw new Refusal(
    'overloaded',
    'Too many erasures are in progress to read the audit log. Try again in a moment.',
  )
}
