import { writeExportLine } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { readExportLines } from './read-export-lines.ts'
import { sealChain } from './seal.ts'
import { withConsistentSnapshot } from './snapshot.ts'
import { readLogState } from '../log/log-state.ts'

export type ExportChain = {
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
