import { createHash } from 'node:crypto'
import type { Context } from '../../engine/context.ts'
import type { Database } from '../../engine/db/index.ts'
import type { Egress, OutboundOutcome } from '../../engine/egress/index.ts'
import type { Log } from '../../engine/observability/index.ts'
import { bumpTrustVersion } from '../anchors/store.ts'
import { isListOfLists, listFollowed } from './follow.ts'
import { type ListSettings, readListSettings } from './read-settings.ts'
import { type ListReader, openListReader } from './read/open-reader.ts'
import type { ListReading } from './read/read-copy.ts'
import { confirmCopy, replaceStoredAnchors, storeFreshCopy } from './replace-anchors.ts'
import {
  type ClaimedList,
  type ListName,
  claimLists,
  countAnchors,
  lockPointers,
  readStoredCopy,
  recordFault,
  syncLists,
} from './store.ts'

type RefreshContext = { db: Database; egress: Egress; log: Log }
type RefreshResult = { sequence_number: number; anchors: number } | { fault: string }
type RefreshedList = ListName & RefreshResult

const maxConcurrent = 4

/**
 * Fetches the lists that are due, or `all`, and stores their anchors. If a list is unavailable or invalid, its last good copy
 * stays in place. A list that is no longer configured or pointed to is deleted with its anchors.
 */
export async function refreshLists(
  ctx: RefreshContext,
  configured: readonly ListSettings[],
  which: { all: boolean },
): Promise<RefreshedList[]> {
  await using reader = openListReader()
  const refreshed: RefreshedList[] = []
  // Lists of lists come first, so that the others are read as their pointers say now.
  for (const above of configured.some(isListOfLists) ? [true, false] : [false]) {
    const settings = await syncSettings(ctx, configured)
    const lists = settings.filter((each) => isListOfLists(each) === above)
    refreshed.push(...(await refreshSome({ ...ctx, reader }, lists, which)))
  }
  return refreshed
}

async function refreshSome(
  ctx: ReadingContext,
  settings: readonly ListSettings[],
  { all }: { all: boolean },
): Promise<RefreshedList[]> {
  const queue = await claimLists(ctx.db, { lists: settings, all })
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

/** Makes the stored lists those that are configured and those that they point to, and returns the settings of all. */
async function syncSettings(
  { db, log }: RefreshContext,
  configured: readonly ListSettings[],
): Promise<ListSettings[]> {
  const { settings, removed } = await db.transaction(async (tx) => {
    const all = [...configured, ...listFollowed(configured, await lockPointers(tx))]
    const synced = await syncLists(tx, all)
    if (synced.changed) await bumpTrustVersion(tx)
    return { settings: all, removed: synced.removed }
  })
  for (const { environment, url } of removed) {
    log.warn({ environment, list: url }, 'trust list no longer configured or pointed to')
  }
  return settings
}

type ReadingContext = RefreshContext & { reader: ListReader }

async function refresh(
  ctx: ReadingContext,
  list: ClaimedList,
  settings: ListSettings,
): Promise<RefreshResult> {
  const { db, log } = ctx
  const about = { environment: list.environment, list: list.url }
  const refreshed = await fetchAndStore(ctx, list, settings)
  if ('fault' in refreshed) {
    log.error({ ...about, ...refreshed }, 'a trust list could not be refreshed')
    await recordFault(db, { id: list.id, ...refreshed })
    await reapplySettings(ctx, list, settings)
  } else {
    log.info({ ...about, ...refreshed }, 'trust list refreshed')
  }
  return refreshed
}

async function fetchAndStore(
  { db, egress, reader }: ReadingContext,
  list: ClaimedList,
  settings: ListSettings,
): Promise<RefreshResult> {
  const fetched = await fetchList(egress, list.url, settings.reading)
  if ('fault' in fetched) return fetched
  const { bytes } = fetched
  if (await isUnchanged(db, { list, settings, bytes })) {
    return { sequence_number: list.sequence_number ?? 0, anchors: await countAnchors(db, list.id) }
  }
  const { signers, reading } = settings
  const read = await reader.read({
    bytes,
    signers,
    reading,
    now: list.now,
    ...(list.sequence_number !== null && { last_sequence_number: list.sequence_number }),
    ...(list.issued_at !== null && { last_issued_at: list.issued_at }),
  })
  if ('error' in read) return { fault: read.error }
  if (!(await storeFreshCopy(db, list, settings, { ...read.value, bytes }))) {
    return { fault: 'the trust list is older than the previous one' }
  }
  return { sequence_number: read.value.sequence_number, anchors: await countAnchors(db, list.id) }
}

/**
 * Most refreshes find the same bytes. If they were accepted under the same settings and have not expired, nothing has to be
 * read or written again: their signature has been verified.
 */
async function isUnchanged(
  db: Database,
  { list, settings, bytes }: { list: ClaimedList; settings: ListSettings; bytes: Buffer },
): Promise<boolean> {
  if (list.copy_hash?.equals(createHash('sha256').update(bytes).digest()) !== true) return false
  return confirmCopy(db, list, settings)
}

/**
 * The stored copy was read with other settings, and perhaps signed by someone who is no longer pinned. Anchors that the current
 * settings do not accept must not be trusted, however long the list's server is unavailable.
 */
async function reapplySettings(
  { db, reader }: ReadingContext,
  list: ClaimedList,
  settings: ListSettings,
): Promise<void> {
  const { settings_hash, next_update } = list
  if (next_update === null || settings_hash?.equals(settings.hash) === true) return
  const bytes = await readStoredCopy(db, list.id)
  if (bytes === undefined) return
  const { signers, reading } = settings
  // Whether the copy has expired does not matter here: `trusted_until` decides that.
  const read = await reader.read({ bytes, signers, reading, now: Math.min(list.now, next_update - 1) })
  await replaceStoredAnchors(db, list, settings, 'value' in read ? read.value : { anchors: [] })
}

export const limits = { timeout_ms: 30_000, max_response_bytes: 16 * 1024 * 1024 }

const accepted: Record<ListReading['format'], string> = {
  lote: 'application/jose, application/jwt, */*;q=0.5',
  vical: 'application/cbor, application/octet-stream, */*;q=0.5',
  xml: 'application/vnd.etsi.tsl+xml, application/xml, */*;q=0.5',
}

const refusalTexts = {
  not_http: 'its URL is not http or https',
  port: 'its URL names a port of another protocol',
  not_public: 'its URL is not public',
}

/** Fetches a trust list, or says in words for the operator why it could not be fetched. */
async function fetchList(
  egress: Egress,
  url: string,
  { format }: ListReading,
): Promise<{ bytes: Buffer } | { fault: string }> {
  const response = await egress.request({
    method: 'GET',
    url,
    ...limits,
    compose: (write) => write({ headers: { accept: accepted[format] } }),
  })
  if (response.outcome === 'responded' && response.status === 200 && response.complete) {
    return { bytes: response.body }
  }
  return { fault: `the list could not be fetched: ${describeFailure(response)}` }
}

function describeFailure(response: OutboundOutcome): string {
  switch (response.outcome) {
    case 'responded':
      return response.status === 200
        ? 'it is too long or was cut off'
        : `the server replied ${response.status}`
    case 'timed_out':
      return 'the server took too long'
    case 'refused':
      return refusalTexts[response.reason]
    case 'failed':
      return `${response.reason} (${response.code})`
    case 'withdrawn':
      return 'the request was withdrawn'
  }
}

type ConfiguredContext = Pick<Context, 'config' | 'db' | 'egress' | 'log'>

/** Refreshes the lists that are due. The worker calls it regularly. */
export async function refreshDueLists(ctx: ConfiguredContext): Promise<void> {
  await refreshConfigured(ctx, { all: false })
}

/** Refreshes every list, due or not, on an operator's request. */
export async function refreshAllLists(ctx: ConfiguredContext): Promise<RefreshedList[]> {
  return refreshConfigured(ctx, { all: true })
}

/**
 * The file is read each time, so that a pin can be withdrawn without a restart. Without a file nothing changes: a process
 * that was started without the setting must not delete everybody's anchors.
 */
async function refreshConfigured(ctx: ConfiguredContext, which: { all: boolean }): Promise<RefreshedList[]> {
  const file = ctx.config.TRUST_LISTS_FILE
  return file === undefined ? [] : refreshLists(ctx, readListSettings(file), which)
}
