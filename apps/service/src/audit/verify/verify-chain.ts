import {
  firstLink,
  sameBytes,
  startCheck,
  writeExportLine,
  type Hash,
  type CheckReport,
} from '@vidimus/evidence'
import type { Db } from '../../platform/db/open.ts'
import { readExportLines } from './read-export-lines.ts'
import { sealChain } from './seal.ts'
import type { LogState } from '../log/log-state.ts'
import { countTexts, readChain } from '../chain/history-store.ts'

export type VerifyChain = { tenant_id: string; onProgress?: ((done: number, of: number) => void) | undefined }

/** What was found, and how many entries and texts were met on the way. */
export type ChainReport = CheckReport & { texts: number }

/**
 * Checks a tenant's chain where it lies. The very lines that would be exported go through the very check that whoever
 * gets them runs; beyond that, nothing may lie beside the chain that does not belong to it.
 */
export async function verifyChain(
  db: Db,
  standing: LogState,
  { tenant_id, onProgress }: VerifyChain,
): Promise<ChainReport> {
  const check = startCheck({ publicKey: standing.log.key.publicKey })
  const { seq: end = 0, signed_seq: signed = 0, link: head } = (await readChain(db, tenant_id)) ?? {}
  let [texts, unsigned, beyond] = [0, 0, 0]
  let last: Hash = firstLink
  for await (const { seq, line, link, hasTexts: opened } of readExportLines(db, tenant_id)) {
    last = link
    if (seq > end) beyond += 1
    else if (seq > signed) unsigned += 1
    else {
      check.line(line)
      if (opened) texts += 1
      onProgress?.(seq, signed)
    }
  }
  check.line(writeExportLine({ seal: await sealChain(db, standing, { tenant_id }) }))
  const report = await check.end()
  const strays = (await countTexts(db, { tenant_id, up_to: signed })) - texts
  const more = [
    ...(head !== undefined && sameBytes(head, last)
      ? []
      : ['the chain does not end where the next entry would go on']),
    ...(beyond === 0 ? [] : [`${beyond} entries lie beyond the end of the chain`]),
    ...(unsigned === end - signed
      ? []
      : [`${end - signed} entries are not signed yet, and ${unsigned} are there`]),
    ...(strays === 0 ? [] : [`${strays} texts belong to no entry`]),
  ]
  const faults = [...report.faults, ...more]
  return {
    ...report,
    texts,
    valid: faults.length === 0,
    faults,
    fault_count: report.fault_count + more.length,
  }
}
