import { hashReading, type ListSettings } from './read-settings.ts'
import type { StoredPointers } from './store.ts'

/** All lists that others point to. With the configured ones they are fewer than a refresh claims at once. */
export const maxFollowedLists = 500

/** Whether a list points to others that are followed. */
export function isListOfLists({ reading }: ListSettings): boolean {
  return reading.format !== 'vical' && reading.follow !== undefined
}

/**
 * The settings of the lists that the last good copies of configured ones point to. Their signers are those that the pointer names now, and
 * nobody else. A list that the file names has the settings of the file, so none can point to itself or to the one above it; and what a
 * followed list points to is not followed. Like a configured list, a live one must be https.
 */
export function listFollowed(
  configured: readonly ListSettings[],
  stored: readonly StoredPointers[],
): ListSettings[] {
  const known = new Set(configured.map(nameOf))
  const followed: ListSettings[] = []
  for (const { environment, url: source, grace_hours, reading } of configured) {
    if (reading.format === 'vical' || reading.follow === undefined) continue
    const copy = stored.find((each) => each.environment === environment && each.url === source)
    for (const { url, territory, signers: certificates } of copy?.pointers ?? []) {
      const name = nameOf({ environment, url })
      if (known.has(name) || (environment === 'live' && !url.startsWith('https:'))) continue
      known.add(name)
      const list = {
        signers: certificates.map((certificate) => ({ certificate })),
        reading: { format: reading.format, territory, ...reading.follow },
      }
      followed.push({ environment, url, source, grace_hours, ...list, hash: hashReading(list) })
    }
  }
  return followed.slice(0, maxFollowedLists)
}

/** Written differently, a URL is that of the same list. */
function nameOf({ environment, url }: Pick<ListSettings, 'environment' | 'url'>): string {
  return `${environment} ${URL.parse(url)?.href ?? url}`
}
