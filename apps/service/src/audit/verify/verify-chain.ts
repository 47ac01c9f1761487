import {
  firstLink,
  sameBytes,
  startCheck,
  writeExportLine,
  type Hash,
  type CheckReport,
} from '@vidimus/evidence'
import type { Db } from '../../engine/db/index.ts'
import { readExportLines } from './export.ts'
import { sealChain } from './seal.ts'
import type { LogState } from '../log/open-log.ts'
import { countTexts, readChain } from '../chain/history-store.ts'

export type VerifyChain = { tenant_id: string; onProgress?: ((done: number, of: number) => void) | undefined }

export type ChainReport = CheckReport & { texts: number }

/**
 * Checks a tenant's chain in the database. It passes the lines of an export to the same check that a recipient of the export
 * runs, and also finds rows that do not belong to the chain.
 */
export async function verifyChain(
  db: Db,
  state: LogState,
  { tenant_id, onProgress }: VerifyChain,
): Promise<ChainReport> {
  const check = startCheck({ publicKey: state.log.key.publicKey })
  const { seq: end = 0, signed_seq: signed = 0, link: head } = (await readChain(db, tenant_id)) ?? {}
  let [texts, unsigned, beyond] = [0, 0, 0]
  let last: Hash = firstLink
  for await (const { seq, line, link, hasTexts } of readExportLines(db, tenant_id)) {
    last = link
    if (seq > end) beyond += 1
    else if (seq > signed) unsigned += 1
    else {
      check.line(line)
      if (hasTexts) texts += 1
      onProgress?.(seq, signed)
    }
  }
  check.line(writeExportLine({ seal: await sealChain(db, state, { tenant_id }) }))
  const report = await check.end()
  const orphans = (await countTexts(db, { tenant_id, up_to: signed })) - texts
  const ownFaults = [
    ...(head !== undefined && sameBytes(head, last)
      ? []
      : ['the last entry does not match the recorded end of the chain']),
    ...(beyond === 0 ? [] : [`${beyond} entries are beyond the recorded end of the chain`]),
    ...(unsigned === end - signed
      ? []
      : [`${end - signed} unsigned entries are expected, and ${unsigned} exist`]),
    ...(orphans === 0 ? [] : [`${orphans} texts belong to no entry`]),
  ]
  const faults = [...report.faults, ...ownFaults]
  return {
    ...report,
    texts,
    valid: faults.length === 0,
    faults,
    fault_count: report.fault_count + ownFaults.length,
  }
}
