import type { ListState } from './store.ts'

/** A list is refreshed every hour. If that fails, it is trusted for days: long enough to wait before anybody is told. */
const notice_ms = 2 * 86_400_000

/** Whether a list has expired, or will soon because it cannot be refreshed. */
export function isListEnding(
  { lapsed, stale, trusted_until }: Pick<ListState, 'lapsed' | 'stale' | 'trusted_until'>,
  now_ms: number,
): boolean {
  return lapsed || (stale && (trusted_until === null || Date.parse(trusted_until) - now_ms < notice_ms))
}
