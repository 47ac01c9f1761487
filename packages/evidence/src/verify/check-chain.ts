import { z } from 'zod'
import { fromHex, sameBytes } from '../bytes.ts'
import { textsMatch } from '../chain/commit-text.ts'
import { firstLink, type Entry, type Head, type Texts } from '../chain/entry.ts'
import { linkHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'
import { trackTexts } from './track-texts.ts'

export type ChainedEntry = { entry: Entry; link: string; texts?: Texts | undefined }

const ErasureDetail = z.looseObject({ removed: z.array(z.int().min(1)) })

/** Checks a tenant's chain entry by entry and reports the faults. */
export function startChainCheck() {
  const tracker = trackTexts()
  let head: Head | undefined
  let entriesWithTexts = 0

  return {
    add({ entry, link, texts }: ChainedEntry, entryHash: Hash): string[] {
      const { tenant_id = entry.tenant_id, seq = 0, link: previous = firstLink } = head ?? {}
      const expected = linkHash(previous, entryHash)
      // Continue from the file's own link, so that one break is reported once.
      head = { tenant_id, seq: entry.seq, link: fromHex(link) }
      if (entry.commitments !== undefined && texts === undefined) tracker.addMissing(entry)
      if (texts !== undefined) entriesWithTexts += 1
      const deleted = entry.action === 'tenant.deleted'
      if (deleted) tracker.addErasedBefore(entry.seq)
      const removed =
        entry.action === 'verification.erased' ? ErasureDetail.safeParse(entry.detail).data?.removed : []
      for (const each of removed ?? []) tracker.addErased(each)
      return [
        ...(entry.tenant_id === tenant_id ? [] : [`entry ${entry.seq}: belongs to another tenant`]),
        ...(entry.seq === seq + 1 ? [] : [`entry ${entry.seq}: follows entry ${seq}`]),
        ...(sameBytes(expected, head.link) ? [] : [`entry ${entry.seq}: the entry or its link was changed`]),
        ...(texts === undefined || textsMatch(entry, texts)
          ? []
          : [`entry ${entry.seq}: its texts do not match its commitments`]),
        ...(removed?.every((each) => each < entry.seq) === false
          ? [`entry ${entry.seq}: erases texts of later entries`]
          : []),
        ...(deleted && entriesWithTexts > 0
          ? [`entry ${entry.seq}: the tenant was deleted, but ${entriesWithTexts} earlier entries have texts`]
          : []),
      ]
    },
    /** Faults of missing or restored texts, as of the time of the signed leaf. */
    textFaults: (signedAt: string) => tracker.faults(signedAt),
    head: () => head,
    removed: () => tracker.count(),
  }
}
