import { readTrustList, type TrustListRequest } from '@vidimus/protocol'
import type { Database } from '../../platform/db/open.ts'
import type { Egress } from '../../platform/egress/open.ts'
import type { Log } from '../../platform/log.ts'
import { bumpTrustVersion } from '../anchors/store.ts'
import { fetchList } from './fetch.ts'
import type { ListSettings } from './read-settings.ts'
import { claimLists, recordFault, syncLists, type ClaimedList, type ListName } from './store.ts'
import { replaceStoredAnchors, storeFreshCopy } from './replace-anchors.ts'

export type RefreshContext = { db: Database; egress: Egress; log: Log }
type RefreshResult = { sequence_number: number; anchors: number } | { fault: string }
export type RefreshedList = ListName & RefreshResult

const maxConcurrent = 4

/**
 * Fetches the lists that are due, or `all`, and stores their anchors. If a list is unavailable or invalid, its last good copy
 * stays in place. A list that is no longer configured is deleted with its anchors.
 */
export async function refreshLists(
  ctx: RefreshContext,
  settings: readonly ListSettings[],
  { all }: { all: boolean },
): Promise<RefreshedList[]> {
  await removeUnconfigured(ctx, settings)
  const queue = await claimLists(ctx.db, { all })
  const refreshed: RefreshedList[] = []
  const work = async () => {
    for (let list = queue.shift(); list !== undefined; list = queue.shift()) {
      const { environment, url } = list
      const listSettings = settings.find((each) => each.environment === environment && each.url === url)
      if (listSettings !== undefined)
        refreshed.push({ environment, url, ...(await refresh(ctx, list, listSettings)) })
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return refreshed
}

async function removeUnconfigured(
  { db, log }: RefreshContext,
  settings: readonly ListSettings[],
): Promise<void> {
  const removed = await db.transaction(async (tx) => {
    const gone = await syncLists(tx, settings)
    if (gone.length > 0) await bumpTrustVersion(tx)
    return gone
  })
  for (const { environment, url } of removed) {
    log.warn({ environment, list: url }, 'trust list no longer configured')
  }
}

async function refresh(
  { db, egress, log }: RefreshContext,
  list: ClaimedList,
  settings: ListSettings,
): Promise<RefreshResult> {
  const about = { environment: list.environment, list: list.url }
  const refreshed = await fetchAndStore({ db, egress }, list, settings)
  if ('fault' in refreshed) {
    log.error({ ...about, ...refreshed }, 'a trust list could not be refreshed')
    await recordFault(db, { id: list.id, ...refreshed })
    await reapplySettings(db, list, settings)
  } else {
    log.info({ ...about, ...refreshed }, 'trust list refreshed')
  }
  return refreshed
}

async function fetchAndStore(
  { db, egress }: Pick<RefreshContext, 'db' | 'egress'>,
  list: ClaimedList,
  settings: ListSettings,
): Promise<RefreshResult> {
  const fetched = await fetchList(egress, list.url)
  if ('fault' in fetched) return fetched
  const read = await readTrustList(fetched.token, toListRequest(settings, list.now, list.sequence_number))
  if ('error' in read) return { fault: read.error }
  if (!(await storeFreshCopy(db, list, settings, { ...read.value, ...fetched }))) {
    return { fault: 'the trust list is older than the previous one' }
  }
  return { sequence_number: read.value.sequence_number, anchors: read.value.anchors.length }
}

/**
 * The stored copy was read with other settings, and perhaps signed by someone who is no longer pinned. Anchors that the current
 * settings do not accept must not be trusted, however long the list's server is unavailable.
 */
async function reapplySettings(db: Database, list: ClaimedList, settings: ListSettings): Promise<void> {
  const { token, settings_hash, next_update } = list
  if (token === null || next_update === null || settings_hash?.equals(settings.hash) === true) return
  // Whether the copy has expired does not matter here: `trusted_until` decides that.
  const read = await readTrustList(token, toListRequest(settings, Math.min(list.now, next_update - 1), null))
  await replaceStoredAnchors(db, list, settings, 'value' in read ? read.value.anchors : [])
}

function toListRequest(
  { signers, type, services }: ListSettings,
  now: number,
  last: number | null,
): TrustListRequest {
  return { signers, type, services, now, ...(last !== null && { last_sequence_number: last }) }
}
