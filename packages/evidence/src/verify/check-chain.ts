import { z } from 'zod'
import { fromHex, sameBytes } from '../bytes.ts'
import { textsMatch } from '../chain/commit-text.ts'
import { firstLink, type Entry, type Head, type Texts } from '../chain/entry.ts'
import { linkHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'
import { trackTexts } from './track-texts.ts'

export type ChainedEntry = { entry: Entry; link: string; texts?: Texts | undefined }

const ErasureDetail = z.looseObject({ removed: z.array(z.int().min(1)) })

/** Follows a tenant's chain entry by entry, and tells what does not hold. */
export function startChainCheck() {
  const texts = trackTexts()
  let head: Head | undefined

  return {
    follow({ entry, link, texts: opened }: ChainedEntry, entryHash: Hash): string[] {
      const { tenant_id = entry.tenant_id, seq = 0, link: previous = firstLink } = head ?? {}
      const expected = linkHash(previous, entryHash)
      // After a break the file's own link is followed, so that one break is told once.
      head = { tenant_id, seq: entry.seq, link: fromHex(link) }
      if (entry.commitments !== undefined && opened === undefined) texts.gone(entry)
      const removed =
        entry.action === 'verification.erased' ? ErasureDetail.safeParse(entry.detail).data?.removed : []
      for (const each of removed ?? []) texts.erased(each)
      return [
        ...(entry.tenant_id === tenant_id ? [] : [`entry ${entry.seq}: belongs to another tenant`]),
        ...(entry.seq === seq + 1 ? [] : [`entry ${entry.seq}: follows entry ${seq}`]),
        ...(sameBytes(expected, head.link) ? [] : [`entry ${entry.seq}: it or its link was changed`]),
        ...(opened === undefined || textsMatch(entry, opened)
          ? []
          : [`entry ${entry.seq}: its texts are not those it commits to`]),
        ...(removed?.every((each) => each < entry.seq) === false
          ? [`entry ${entry.seq}: erases what came after it`]
          : []),
      ]
    },
    /** Texts that are gone without a reason, by the time of the signed tick. */
    unaccounted: (signedAt: string) => texts.faults(signedAt),
    head: () => head,
    removed: () => texts.count(),
  }
}
