import { writeExportLine } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import { readExportLines } from './read-export-lines.ts'
import { sealChain } from './seal.ts'
import { withConsistentSnapshot } from './snapshot.ts'
import { readLogState } from '../log/log-state.ts'

export type ExportChain = {
  tenant_id: string
  /** An earlier checkpoint; the export then shows that it continues it. */
  since?: string | undefined
  /** Takes a line. The next is read when this has ended, so that a slow reader is not flooded. */
  write: (line: string) => Promise<void> | void
  onProgress?: ((done: number, of: number) => void) | undefined
}

/** Writes a tenant's whole chain with its seal, as JSON lines that can be checked without the service. */
export async function exportChain(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { tenant_id, since, write, onProgress }: ExportChain,
): Promise<void> {
  await withConsistentSnapshot(ctx, tenant_id, async (tx) => {
    const standing = await readLogState(ctx, tx)
    const seal = await sealChain(tx, standing, { tenant_id, since })
    const end = standing.heads.get(tenant_id)?.seq ?? 0
    for await (const { seq, line } of readExportLines(tx, tenant_id)) {
      if (seq > end) break
      await write(line)
      onProgress?.(seq, end)
    }
    await write(writeExportLine({ seal }))
  })
}
